import { describe, expect, it } from '@jest/globals';

import { pauseUpdate, resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import type { FaultRule } from '../../../src/simulator/index.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
import {
  existingIdsOf,
  floatingIpOf,
  idsOf,
  instanceIdOf,
  stateWithInstances,
} from '../../support/worlds/instances.js';
const INSTANCE = `/cloud/v1/instances/1/1/${instanceIdOf(1)}`;
const FLOATING_IP = `/cloud/v1/floatingips/1/1/${floatingIpOf(1)}`;
const ALL = {
  instanceId: instanceIdOf(1),
  volumes: 'delete' as const,
  floatingIps: 'delete' as const,
};

/** The API takes no delete of this resource for now. */
async function startRefused({ start, simulator }: Scenario, path: string) {
  const match = { method: 'DELETE', path, times: Infinity };
  simulator.faults.add({ match, action: { kind: 'status', status: 503 } });
  const run = await start('deleteInstance', ALL);
  await until('a delete was refused', () =>
    simulator.requests.some((sent) => sent.method === 'DELETE' && sent.path === path),
  );
  return run;
}

describe('deleteInstance, while the API takes no delete', () => {
  it('deletes nothing more after a pause, and everything after resume', () =>
    inScenario({ state: stateWithInstances([{ of: 1 }]) }, async (scenario) => {
      const { simulator } = scenario;
      const run = await startRefused(scenario, INSTANCE);

      const { phase } = await run.executeUpdate(pauseUpdate);
      const left = existingIdsOf(simulator, 1);
      simulator.faults.clear();
      await until('no call waits', async () => {
        const { pendingActivities } = (await run.describe()).raw;
        return (pendingActivities ?? []).length === 0;
      });

      expect([phase, (await run.query(statusQuery)).phase]).toEqual(['paused', 'paused']);
      expect(left).toContain(instanceIdOf(1));
      expect(existingIdsOf(simulator, 1)).toEqual(left);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      const { deleted } = await run.result();
      expect(deleted.instance).toBe(true);
      expect(existingIdsOf(simulator, 1)).toEqual([]);
    }));

  it.each([
    ['another instance', { port_id: 'port-2', instance: { id: instanceIdOf(2) } }, instanceIdOf(2)],
    ['a port that is not of an instance', { port_id: 'port-9', instance: null }, 'port-9'],
  ])('leaves a floating IP alone that somebody moves to %s, and says so', (_, place, holder) =>
    inScenario({ state: stateWithInstances([{ of: 1 }, { of: 2 }]) }, async (scenario) => {
      const { simulator } = scenario;
      const looks = () =>
        simulator.requests.filter(({ method, path }) => method === 'GET' && path === FLOATING_IP)
          .length;
      const run = await startRefused(scenario, FLOATING_IP);

      const body = { id: floatingIpOf(1), ...place };
      const moved: FaultRule = {
        match: { method: 'GET', path: FLOATING_IP, times: Infinity },
        action: { kind: 'status', status: 200, body },
      };
      simulator.faults.add(moved);
      const before = looks();
      await until('the run looks again', () => looks() > before);
      // From now on the API takes the delete.
      simulator.faults.clear();
      simulator.faults.add(moved);
      const { type, message } = await failureOfRun(run);

      expect(type).toBe('InvalidRequest');
      expect(message).toContain(holder);
      expect(existingIdsOf(simulator, 1)).toContain(floatingIpOf(1));
      expect(existingIdsOf(simulator, 2)).toEqual(idsOf(2));
    }),
  );
});
