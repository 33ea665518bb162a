import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import type { DeleteInstanceInput } from '../../../src/contract/operations/types.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import { resetRun } from '../../support/runs/reset-run.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import { createGcoreWorkflows } from '../../../src/client/index.js';
import { RAN_BEFORE_MEMO } from '../../../src/engine/core/identity.js';
import { pauseUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { pass } from '../../support/timing/pass.js';
import { until } from '../../support/timing/until.js';
import { createHeldLine } from '../held-line.js';
import {
  existingIdsOf,
  floatingIpOf,
  idsOf,
  instanceIdOf,
  portOf,
  stateWithInstances,
} from '../../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }, { of: 2, floatingIp: 'apart' }]);

type Input = Omit<DeleteInstanceInput, 'account'>;
const ALL: Input = { instanceId: instanceIdOf(1), volumes: 'delete', floatingIps: 'delete' };

interface EarlyEnd {
  end: 'cancel' | 'terminate';
  begin?: () => Promise<unknown>;
}

/** A run that ends once its instance is gone, before it has deleted the floating IP. */
async function endEarly(
  { start, simulator, client }: Scenario,
  workflowId: string,
  { end, begin = () => start('deleteInstance', ALL, workflowId) }: EarlyEnd,
): Promise<void> {
  const deletion = { method: 'DELETE', path: /\/floatingips\// };
  simulator.faults.add({
    match: { ...deletion, times: Infinity },
    action: { kind: 'status', status: 503 },
  });
  await begin();
  await until('the instance is gone', () => !existingIdsOf(simulator, 1).includes(instanceIdOf(1)));
  const run = client.workflow.getHandle(workflowId);
  await run[end]();
  await endOfRun(run).catch(() => undefined);
  simulator.faults.clear();
}

const leftOf = ({ simulator }: Scenario) => existingIdsOf(simulator, 1);

describe('a deletion that is repeated after it was cut off', () => {
  it.each(['cancel', 'terminate'] as const)(
    'deletes the floating IP that nothing at the API ties to the instance any more (%s)',
    (end) =>
      inScenario({ state: STATE }, async (scenario) => {
        const workflowId = `delete-instance/${scenario.account}/clean-up`;
        await endEarly(scenario, workflowId, { end });
        expect(leftOf(scenario)).toEqual([floatingIpOf(1)]);

        const again = await scenario.start('deleteInstance', ALL, workflowId);

        expect(await again.result()).toMatchObject({
          alreadyGone: true,
          deleted: { floatingIps: [floatingIpOf(1)] },
        });
        expect(leftOf(scenario)).toEqual([]);
      }),
  );

  it('says that it does not know what the run before it has deleted, when it ends before it looks', () => {
    const line = createHeldLine('DELETE');
    const world = { state: STATE, line: line.fetch, timeoutMs: 10_000 };
    return inScenario(world, async ({ start }) => {
      const first = await start('deleteInstance', ALL, 'clean-up');
      await until('its call has left', line.isHeld);
      await first.terminate();

      const second = await start('deleteInstance', ALL, 'clean-up');
      await second.cancel();
      await endOfRun(second);
      line.letGo();

      const { steps } = await second.query(statusQuery);
      expect(steps.find(({ name }) => name === 'delete instance')).toMatchObject({
        state: 'outcome-unknown',
        note: 'the run ended before it was known what an earlier run of this request has sent',
      });
    });
  });

  it('says the same of the run that a reset has ended after its preparation', () => {
    const line = createHeldLine('DELETE');
    const world = { state: STATE, line: line.fetch, timeoutMs: 10_000 };
    return inScenario(world, async ({ start, client }) => {
      const first = await start('deleteInstance', ALL, 'clean-up');
      await until('its call has left', line.isHeld);
      await first.executeUpdate(pauseUpdate);

      const again = await resetRun(client, first, { sending: 'listFloatingIpsOfInstance' });
      await again.cancel();
      await endOfRun(again);
      line.letGo();

      const { steps } = await again.query(statusQuery);
      expect(steps.find(({ name }) => name === 'delete instance')).toMatchObject({
        state: 'outcome-unknown',
        note: 'the run ended before it was known what an earlier run of this request has sent',
      });
    });
  });

  it('knows of the run before it also when that has ended a moment ago', () =>
    inScenario({ state: STATE, visibilityLagMs: 1_500 }, async (scenario) => {
      const workflowId = `delete-instance/${scenario.account}/clean-up`;
      await endEarly(scenario, workflowId, { end: 'terminate' });

      const again = await scenario.start('deleteInstance', ALL, workflowId);
      await again.result();

      expect(leftOf(scenario)).toEqual([]);
    }));

  it('claims nothing about what one has left that the server does not know any more', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { account, client, taskQueue } = scenario;
      await endEarly(scenario, `delete-instance/${account}/clean-up`, { end: 'terminate' });

      const again = await client.workflow.start('deleteInstance', {
        ...{ workflowId: `delete-instance/${account}/other`, taskQueue },
        args: [{ ...ALL, account }],
        memo: { [RAN_BEFORE_MEMO]: randomUUID() },
      });
      const { ledger } = await createGcoreWorkflows({ client, taskQueue }).result(
        'deleteInstance',
        again.workflowId,
      );

      expect(ledger[0]?.note).toContain('what an earlier run of this request has left');
    }));

  it('asks the run before it also where a late list shows only older ones', () =>
    inScenario({ state: STATE, visibilityLagMs: 60_000 }, async (scenario) => {
      const { account, client, taskQueue } = scenario;
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const workflowId = `delete-instance/${account}/clean-up`;
      const begin = () =>
        gcore.start('deleteInstance', { requestId: 'clean-up', input: { ...ALL, account } });
      await begin();
      await gcore.cancel(workflowId);
      await endOfRun(client.workflow.getHandle(workflowId)).catch(() => undefined);
      await pass(120_000);
      await endEarly(scenario, workflowId, { end: 'terminate', begin });

      await gcore.result('deleteInstance', await begin());

      expect(leftOf(scenario)).toEqual([]);
    }));

  it('asks the run that a reset has ended, although no list shows it yet', () =>
    inScenario({ state: STATE, visibilityLagMs: 60_000 }, async (scenario) => {
      const workflowId = `delete-instance/${scenario.account}/clean-up`;
      await endEarly(scenario, workflowId, { end: 'terminate' });

      const run = scenario.client.workflow.getHandle(workflowId);
      await (await resetRun(scenario.client, run, 'the first workflow task')).result();

      expect(leftOf(scenario)).toEqual([]);
    }));

  it('leaves a floating IP that somebody uses by now', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { api, simulator } = scenario;
      const workflowId = `delete-instance/${scenario.account}/clean-up`;
      await endEarly(scenario, workflowId, { end: 'cancel' });
      await callByHand(api, `PATCH /cloud/v2/floatingips/1/1/${floatingIpOf(1)}`, {
        port_id: portOf(2),
      });
      const isMoved = (): boolean =>
        simulator
          .snapshot()
          .floatingIps.some(
            ({ id, instanceId }) => id === floatingIpOf(1) && instanceId === instanceIdOf(2),
          );
      await until('it leads to another instance', isMoved);

      const again = await scenario.start('deleteInstance', ALL, workflowId);

      expect(await again.result()).toMatchObject({ deleted: { floatingIps: [] } });
      expect(isMoved()).toBe(true);
    }));

  it('touches nothing of another request that had the same id', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const workflowId = `delete-instance/${scenario.account}/clean-up`;
      await endEarly(scenario, workflowId, { end: 'cancel' });
      const other = { ...ALL, instanceId: instanceIdOf(9) };

      const again = await scenario.start('deleteInstance', other, workflowId);

      expect(await again.result()).toMatchObject({ deleted: { floatingIps: [] } });
      expect(leftOf(scenario)).toEqual([floatingIpOf(1)]);
      expect(existingIdsOf(scenario.simulator, 2)).toEqual(idsOf(2));
    }));
});
