import { describe, expect, it } from '@jest/globals';

import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario } from '../../simulation/scenario.js';

const createCall = { method: 'POST', path: CREATE_PATH };

/** What a run costs whose call is lost this often before the API takes it. */
function costAfter(lost: number): Promise<{ events: number; requests: number }> {
  return inScenario({ policy: { reconcileGraceMs: 1_000 } }, async ({ start, simulator }) => {
    if (lost > 0) {
      const action = { kind: 'drop-request' } as const;
      simulator.faults.add({ match: { ...createCall, times: lost }, action });
    }
    const run = await start('provisionInstance', provisionInput());
    await run.result();

    expect(simulator.inventory().instances).toHaveLength(1);
    const { historyLength: events } = await run.describe();
    return { events, requests: simulator.requests.length };
  });
}

describe('the time after a lost answer', () => {
  it('costs at most 66 events and 30 requests each time', async () => {
    const none = await costAfter(0);
    const two = await costAfter(2);

    expect((two.events - none.events) / 2).toBeLessThanOrEqual(66);
    expect((two.requests - none.requests) / 2).toBeLessThanOrEqual(30);
  });

  it('ends as soon as what was made shows, long before its end', () =>
    inScenario(
      { policy: { reconcileGraceMs: 3_600_000, traceTasks: false } },
      async ({ start, simulator, mutations }) => {
        simulator.faults.add({ match: createCall, action: { kind: 'list-lag', ms: 500 } });
        simulator.faults.add({ match: createCall, action: { kind: 'drop-response' } });

        const run = await start('provisionInstance', provisionInput());
        const { instanceId } = await run.result();

        expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
        expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
      },
    ));

  it('ends at its end when the lists cannot be read meanwhile', () =>
    inScenario({ policy: { reconcileGraceMs: 2_000 } }, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match: createCall, action: { kind: 'drop-request' } });
      simulator.faults.add({
        match: { method: 'GET', path: '/cloud/v1/instances/1/1', nth: 4, times: 2 },
        action: { kind: 'status', status: 503 },
      });

      const run = await start('provisionInstance', provisionInput());
      await run.result();

      expect(simulator.inventory().instances).toHaveLength(1);
      expect(mutations()).toEqual([`POST ${CREATE_PATH}`, `POST ${CREATE_PATH}`]);
    }));
});
