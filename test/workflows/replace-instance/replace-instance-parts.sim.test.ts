import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows } from '../../../src/client/index.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { CREATE_PATH } from '../../support/inputs/provision-input.js';
import { replaceInput } from '../../support/operations/replace-instance.js';
import { resetRun } from '../../support/runs/reset-run.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import { abortUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import {
  existingIdsOf,
  floatingIpOf,
  instanceIdOf,
  stateWithInstances,
} from '../../support/worlds/instances.js';

const CREATE = { method: 'POST', path: CREATE_PATH };

interface Request {
  workflowId: string;
  requestId: string;
  input: ReturnType<typeof replaceInput> & { account: string };
}

const AGAIN = [
  [
    'started again',
    async ({ client, taskQueue }: Scenario, request: Request) => {
      await createGcoreWorkflows({ client, taskQueue }).start('replaceInstance', request);
    },
  ],
  [
    'reset',
    async ({ client }: Scenario, { workflowId }: Request) => {
      await resetRun(client, client.workflow.getHandle(workflowId), 'the first workflow task');
    },
  ],
  [
    'reset to a time after its preparation',
    async ({ client }: Scenario, { workflowId }: Request) => {
      await resetRun(client, client.workflow.getHandle(workflowId), { sending: 'listInterfaces' });
    },
  ],
] as const;

describe('replaceInstance, of which somebody has terminated the run that creates', () => {
  it.each(AGAIN)(
    'makes one new instance when it is %s, and no list of runs shows that yet',
    (_how, again) => {
      const state = stateWithInstances([{ of: 1 }]);
      const policy = { reconcileGraceMs: 60_000 };
      return inScenario(
        { state, policy, visibilityLagMs: 600_000, replays: false },
        async (scenario) => {
          const { client, taskQueue, account, simulator } = scenario;
          const gcore = createGcoreWorkflows({ client, taskQueue });
          const gate = createGate();
          simulator.faults.add({ match: CREATE, action: { kind: 'list-lag', ms: 40_000 } });
          simulator.faults.add({
            match: { ...CREATE, times: 1 },
            action: { kind: 'delay', until: gate.opened, afterProcessing: true },
          });
          const request = {
            workflowId: 'web',
            requestId: 'web',
            input: { ...replaceInput(), account },
          };
          const { workflowId } = await gcore.start('replaceInstance', request);
          await until('the create is sent', () =>
            simulator.inFlight().some((call) => call.path === CREATE.path),
          );
          await client.workflow.getHandle(`${workflowId}/instance`).terminate('wrong button');
          await gcore.result('replaceInstance', workflowId).catch(() => undefined);

          await again(scenario, request);
          gate.open();
          await gcore.result('replaceInstance', workflowId).catch(() => undefined);

          const names = simulator.inventory().instances.map(({ name }) => name);
          expect(names.filter((name) => name === 'web-new')).toHaveLength(1);
        },
      );
    },
  );
});

describe('replaceInstance that ends before it has looked', () => {
  it.each(AGAIN)('does not know what it had sent before it was %s', (how, again) => {
    const state = stateWithInstances([{ of: 1 }]);
    return inScenario({ state, replays: false }, async (scenario) => {
      const { client, taskQueue, account, simulator } = scenario;
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const gate = createGate();
      const action = { kind: 'delay', until: gate.opened, afterProcessing: true } as const;
      simulator.faults.add({ match: { ...CREATE, times: 1 }, action });
      const input = { ...replaceInput(), account };
      const request = { workflowId: 'web', requestId: 'web', input };
      const { workflowId } = await gcore.start('replaceInstance', request);
      await until('the create is sent', () =>
        simulator.inFlight().some((call) => call.path === CREATE.path),
      );
      const run = client.workflow.getHandle(workflowId);
      await gcore.pause(workflowId);
      if (how === 'started again') await run.terminate();
      await again(scenario, request);
      await gcore.cancel(workflowId);
      await endOfRun(run);
      gate.open();

      const { steps } = await gcore.status(workflowId);
      expect(steps.find(({ name }) => name === 'create instance')).toMatchObject({
        state: 'outcome-unknown',
        note: 'the run ended before it was known what an earlier run of this request has sent',
      });
    });
  });
});

describe('replaceInstance that is reset while it deletes the old instance, and aborted then', () => {
  it('deletes it no more', () =>
    inScenario({ state: stateWithInstances([{ of: 1 }]) }, async (scenario) => {
      const { client, simulator, start } = scenario;
      const deletion = { method: 'DELETE', path: /\/instances\// };
      simulator.faults.add({
        match: { ...deletion, times: Infinity },
        action: { kind: 'status', status: 503 },
      });
      const run = await start('replaceInstance', replaceInput({ deleteOld: { volumes: 'keep' } }));
      const part = client.workflow.getHandle(`${run.workflowId}/delete`);
      await until('it deletes the old instance', () =>
        part.query(statusQuery).then(
          ({ steps }) => steps.length > 1,
          () => false,
        ),
      );
      const again = await resetRun(client, run, 'the first workflow task');
      await again.executeUpdate(abortUpdate, { args: [{}] });
      await endOfRun(again);

      simulator.faults.clear();
      await part.result().catch(() => undefined);

      expect(existingIdsOf(simulator, 1)).toContain(instanceIdOf(1));
    }));
});

describe('replaceInstance, of which somebody has terminated the run that deletes, before it has deleted the volumes', () => {
  it.each(AGAIN)('deletes them when it is %s, and no list of runs shows that yet', (_how, again) =>
    inScenario(
      { state: stateWithInstances([{ of: 1 }]), visibilityLagMs: 600_000, replays: false },
      async (scenario) => {
        const { client, taskQueue, account, simulator, api } = scenario;
        const gcore = createGcoreWorkflows({ client, taskQueue });
        const input = { ...replaceInput({ deleteOld: { volumes: 'delete' } }), account };
        const request = { workflowId: 'web', requestId: 'web', input };
        simulator.faults.add({
          match: { method: 'DELETE', path: /\/volumes\//, times: Infinity },
          action: { kind: 'status', status: 503 },
        });
        simulator.faults.add({
          match: { method: 'DELETE', path: /\/instances\// },
          action: { kind: 'drop-request' },
        });
        const { workflowId } = await gcore.start('replaceInstance', request);
        const part = client.workflow.getHandle(`${workflowId}/delete`);
        const sent = (path: string) => () =>
          simulator.requests.some((call) => call.method === 'DELETE' && call.path.includes(path));
        await until('it has sent the deletion', sent('/instances/'));
        await callByHand(api, `DELETE /cloud/v1/instances/1/1/${instanceIdOf(1)}`);
        await until('it tries to delete the volumes', sent('/volumes/'));
        await part.terminate('wrong button');
        await gcore.result('replaceInstance', workflowId).catch(() => undefined);
        simulator.faults.clear();

        await again(scenario, request);
        await gcore.result('replaceInstance', workflowId);

        expect(existingIdsOf(simulator, 1)).toEqual([floatingIpOf(1)]);
      },
    ),
  );
});
