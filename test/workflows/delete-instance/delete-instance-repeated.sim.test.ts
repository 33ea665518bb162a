import { describe, expect, it } from '@jest/globals';

import type { DeleteInstanceInput } from '../../../src/contract/operations/types.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import { createGcoreWorkflows } from '../../../src/client/index.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
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

/** A run that ends once its instance is gone, before it has deleted the floating IP. */
async function endEarly(
  { start, simulator, client }: Scenario,
  end: 'cancel' | 'terminate',
  workflowId: string,
): Promise<void> {
  const deletion = { method: 'DELETE', path: /\/floatingips\// };
  simulator.faults.add({
    match: { ...deletion, times: Infinity },
    action: { kind: 'status', status: 503 },
  });
  await start('deleteInstance', ALL, workflowId);
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
        await endEarly(scenario, end, workflowId);
        expect(leftOf(scenario)).toEqual([floatingIpOf(1)]);

        const again = await scenario.start('deleteInstance', ALL, workflowId);

        expect(await again.result()).toMatchObject({
          alreadyGone: true,
          deleted: { floatingIps: [floatingIpOf(1)] },
        });
        expect(leftOf(scenario)).toEqual([]);
      }),
  );

  it('knows of the run before it also when that has ended a moment ago', () =>
    inScenario({ state: STATE, visibilityLagMs: 1_500 }, async (scenario) => {
      const workflowId = `delete-instance/${scenario.account}/clean-up`;
      await endEarly(scenario, 'terminate', workflowId);

      const again = await scenario.start('deleteInstance', ALL, workflowId);
      await again.result();

      expect(leftOf(scenario)).toEqual([]);
    }));

  it('claims nothing about what that has left where the server lists runs late', () =>
    inScenario({ state: STATE, visibilityLagMs: 60_000 }, async (scenario) => {
      const { account, client, taskQueue } = scenario;
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const workflowId = `delete-instance/${account}/clean-up`;
      await endEarly(scenario, 'terminate', workflowId);

      const again = await gcore.start('deleteInstance', {
        requestId: 'clean-up',
        input: { ...ALL, account },
      });
      const { ledger } = await gcore.result('deleteInstance', again);

      expect(ledger[0]?.note).toContain('what an earlier run of this request has left');
    }));

  it('leaves a floating IP that somebody uses by now', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { api, simulator } = scenario;
      const workflowId = `delete-instance/${scenario.account}/clean-up`;
      await endEarly(scenario, 'cancel', workflowId);
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
      await endEarly(scenario, 'cancel', workflowId);
      const other = { ...ALL, instanceId: instanceIdOf(9) };

      const again = await scenario.start('deleteInstance', other, workflowId);

      expect(await again.result()).toMatchObject({ deleted: { floatingIps: [] } });
      expect(leftOf(scenario)).toEqual([floatingIpOf(1)]);
      expect(existingIdsOf(scenario.simulator, 2)).toEqual(idsOf(2));
    }));
});
