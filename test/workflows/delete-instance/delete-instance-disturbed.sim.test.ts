import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/engine/core/messages.js';
import type { FaultMatch } from '../../../src/simulator/index.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
import { existingIdsOf, instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';
const ONE = `/cloud/v1/instances/1/1/${instanceIdOf(1)}`;
const DELETE: FaultMatch = { method: 'DELETE', path: ONE };
const STATE = stateWithInstances([{ of: 1 }]);
const INTERNAL = { kind: 'task-error', error: 'internal error' } as const;
const ALL = {
  instanceId: instanceIdOf(1),
  volumes: 'delete' as const,
  floatingIps: 'delete' as const,
};

const sentDeletes = ({ mutations }: Scenario): number =>
  mutations().filter((call) => call === `DELETE ${ONE}`).length;

describe('deleteInstance deletes the instance', () => {
  it('after the task that locks it has ended', () =>
    inScenario({ state: STATE, speed: 20 }, async (scenario) => {
      const { simulator, api } = scenario;
      const headers = { authorization: `apikey ${api.apiKey}` };
      simulator.faults.add({ match: DELETE, action: INTERNAL });
      await simulator.fetch(`${api.baseUrl}${ONE}`, { method: 'DELETE', headers });

      const result = await (await scenario.start('deleteInstance', ALL)).result();

      expect(result.deleted.instance).toBe(true);
      // One call of another client and one of the run, which sends nothing while the lock holds.
      expect(sentDeletes(scenario)).toBe(2);
    }));

  it.each([
    ['lost answer', { kind: 'drop-response' }],
    ['lost request', { kind: 'drop-request' }],
    [
      'server error after the API has accepted the call',
      { kind: 'status', status: 502, afterProcessing: true },
    ],
  ] as const)('despite a %s', (_, action) =>
    inScenario({ state: STATE }, async ({ start, simulator }) => {
      simulator.faults.add({ match: DELETE, action });

      const result = await (await start('deleteInstance', ALL)).result();

      expect(result.deleted.instance).toBe(true);
      expect(existingIdsOf(simulator, 1)).toEqual([]);
    }),
  );

  it('after tasks that ended in ERROR, and the status shows the error', () =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({ match: { ...DELETE, times: 2 }, action: INTERNAL });
      const run = await scenario.start('deleteInstance', ALL);
      await until('the note has the reason', async () => {
        const { steps } = await run.query(statusQuery);
        return steps[1]?.note?.includes('ended in ERROR: internal error') === true;
      });

      await run.result();

      expect(sentDeletes(scenario)).toBe(3);
      expect(existingIdsOf(scenario.simulator, 1)).toEqual([]);
    }));

  it('after the API has answered busy, and the status shows the wait', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const busy = { kind: 'status', status: 409 } as const;
      scenario.simulator.faults.add({ match: { ...DELETE, times: 3 }, action: busy });
      const run = await scenario.start('deleteInstance', ALL);
      await until('it waits', async () => {
        const { waiting } = await run.query(statusQuery);
        return waiting?.state === 'busy';
      });

      await run.result();

      expect(existingIdsOf(scenario.simulator, 1)).toEqual([]);
    }));

  it('after the API accepts a refused key again', () =>
    inScenario({ state: STATE, policy: { probeMs: 200 } }, async ({ start, simulator }) => {
      simulator.faults.add({ match: DELETE, action: { kind: 'status', status: 401 } });
      const run = await start('deleteInstance', ALL);

      await run.result();

      expect(existingIdsOf(simulator, 1)).toEqual([]);
    }));
});
