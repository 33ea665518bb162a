import { afterAll, describe, expect, it } from '@jest/globals';

import { provisionInput } from '../support/provision-input.js';
import { closeScenarios, inScenario } from '../support/scenario.js';

afterAll(closeScenarios);

describe('waiting for a task', () => {
  it('takes fewer events with the watcher than with timers, and both find the end', async () => {
    const events: Record<string, number> = {};
    for (const watcher of [true, false]) {
      await inScenario({ policy: { watcher }, seed: 3 }, async ({ start }) => {
        const run = await start('provisionInstance', provisionInput());
        await run.result();
        const history = await run.fetchHistory();
        events[watcher ? 'watcher' : 'timers'] = history.events?.length ?? 0;
      });
    }

    expect(events['watcher']).toBeLessThan(45);
    expect(events['timers']).toBeLessThan(90);
  });

  it('goes on by timers when the watcher is of no help', () =>
    inScenario({}, async ({ start, simulator }) => {
      // The watcher alone reads the list of tasks; its single reads are refused too.
      simulator.faults.add({
        match: { method: 'GET', path: /^\/cloud\/v1\/tasks/, times: 1 },
        action: { kind: 'status', status: 403, body: { message: 'no' } },
      });

      const run = await start('provisionInstance', provisionInput());

      expect((await run.result()).status).toBe('ACTIVE');
    }));

  it('goes on by timers when no worker watches', () =>
    inScenario({ watchWorker: false, speed: 1_000 }, async ({ start }) => {
      const run = await start('provisionInstance', provisionInput());

      expect((await run.result()).status).toBe('ACTIVE');
    }));

  it('looks at the instance when the API has forgotten the task', () =>
    inScenario({}, async ({ start, simulator }) => {
      simulator.faults.add({
        match: { method: 'GET', path: /^\/cloud\/v1\/tasks\/.+/ },
        action: { kind: 'status', status: 404, body: { exception_class: 'NotFoundError' } },
      });

      const run = await start('provisionInstance', provisionInput());
      const { instanceId } = await run.result();

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
    }));

  it('lets Temporal repeat one read when a task takes very long', () =>
    inScenario({ speed: 20, policy: { watcher: false, poll: HASTY } }, async ({ start }) => {
      const run = await start('provisionInstance', provisionInput());
      await run.result();

      const { events = [] } = await run.fetchHistory();
      const polls = events?.filter(
        ({ activityTaskScheduledEventAttributes: attributes }) =>
          attributes?.activityType?.name === 'pollTask',
      );
      expect(polls).toHaveLength(1);
    }));
});

/** So hasty that the looks by timer are over before the task is. */
const HASTY = {
  looksByTimer: 2,
  minMs: 1,
  maxMs: 2,
  shareOfElapsed: 0.001,
  typical: {},
  otherwise: { firstMs: 1, usualMs: 1 },
};
