import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import { scalePollPolicy } from '../../../src/engine/core/run-policy.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
describe('a wait for a task', () => {
  it('takes few events, both with the watcher and with timers', async () => {
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

  it('continues with timers when the watcher fails', () =>
    inScenario({}, async ({ start, simulator }) => {
      // Only the watcher reads the list of tasks. The API refuses its first read.
      simulator.faults.add({
        match: { method: 'GET', path: /^\/cloud\/v1\/tasks/, times: 1 },
        action: { kind: 'status', status: 403, body: { message: 'no' } },
      });

      const run = await start('provisionInstance', provisionInput());

      expect((await run.result()).status).toBe('ACTIVE');
    }));

  it('continues with timers when no worker has a watcher', () =>
    inScenario({ watchWorker: false, speed: 1_000 }, async ({ start }) => {
      const run = await start('provisionInstance', provisionInput());

      expect((await run.result()).status).toBe('ACTIVE');
    }));

  it('finds the instance when the API has forgotten the task', () =>
    inScenario({}, async ({ start, simulator }) => {
      simulator.faults.add({
        match: { method: 'GET', path: /^\/cloud\/v1\/tasks\/.+/ },
        action: { kind: 'status', status: 404, body: { exception_class: 'NotFoundError' } },
      });

      const run = await start('provisionInstance', provisionInput());
      const { instanceId } = await run.result();

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
    }));

  it('lets Temporal retry one read when a task takes very long', () =>
    inScenario({ speed: 4, policy: { watcher: false, poll: HASTY } }, async ({ start }) => {
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

describe('a wait for what a lost call has made', () => {
  it('says when it ends at the latest: no usual time is known', () =>
    inScenario({ policy: { reconcileGraceMs: 60_000 } }, async ({ start, simulator }) => {
      const match = { method: 'POST', path: CREATE_PATH };
      simulator.faults.add({ match, action: { kind: 'drop-request' } });
      const run = await start('provisionInstance', provisionInput());
      const isLooking = async () => (await run.query(statusQuery)).waiting !== undefined;
      await until('it looks for a trace of the call', isLooking);

      const { waiting } = await run.query(statusQuery);
      await run.terminate();

      const { since, endsBy } = waiting ?? {};
      expect(waiting?.for).toBe('a trace of the call whose answer was lost');
      expect(Date.parse(endsBy ?? '') - Date.parse(since ?? '')).toBeGreaterThan(55_000);
      expect(Date.parse(endsBy ?? '') - Date.parse(since ?? '')).toBeLessThanOrEqual(60_000);
      expect(waiting).not.toHaveProperty('typicalSeconds');
    }));

  it('promises no end while a task that may be the call goes on', () =>
    inScenario({ speed: 1 }, async ({ start, simulator }) => {
      const match = { method: 'POST', path: CREATE_PATH };
      const lag = { kind: 'list-lag', ms: 600_000, tasksAtOnce: true } as const;
      simulator.faults.add({ match, action: lag });
      simulator.faults.add({ match, action: { kind: 'drop-response' } });
      const run = await start('provisionInstance', provisionInput());
      const isLooking = async () => (await run.query(statusQuery)).waiting !== undefined;
      await until('it looks for a trace of the call', isLooking);

      const { waiting } = await run.query(statusQuery);
      const tasks = simulator.inventory().tasks.map(({ state }) => state);
      await run.terminate();

      expect(tasks).not.toContain('FINISHED');
      expect(waiting).toMatchObject({
        for: 'a trace of the call whose answer was lost',
        state: 'a task that may be this call goes on, or has just ended',
      });
      expect(waiting).not.toHaveProperty('endsBy');
    }));
});

describe('a wait that lasts too long', () => {
  const impatient = (giveUpMs: number, looksByTimer: number) => {
    const poll = scalePollPolicy(DEFAULT_POLL_POLICY, 1 / 100);
    const create_vm = { firstMs: 10, usualMs: 10, giveUpMs };
    return { ...poll, minMs: 5, looksByTimer, typical: { ...poll.typical, create_vm } };
  };

  it.each([
    ['between timers', 1_000],
    ['while Temporal retries one read', 1],
  ])('is given up %s, and the run removes what the task makes later', (_, looks) =>
    inScenario(
      // The task takes at least seven seconds. A busy machine needs less to give the wait up.
      { speed: 2, policy: { watcher: false, poll: impatient(300, looks) } },
      async ({ start, simulator }) => {
        const run = await start('provisionInstance', provisionInput());

        const failed = await failureOfRun(run);

        expect(failed).toMatchObject({
          type: 'DeadlineExceeded',
          message: expect.stringContaining('Waited for task'),
          details: { step: 'create instance', resources: [] },
        });
        expect(simulator.inventory()).toMatchObject({ instances: [], volumes: [] });
      },
    ),
  );

  it('does not count the time of an API outage', () =>
    inScenario(
      { speed: 10, policy: { watcher: false, poll: impatient(3_000, 1_000) } },
      async ({ start, simulator, mutations }) => {
        const run = await start('provisionInstance', provisionInput());
        await until('the create was sent', () => mutations().length === 1);
        const away = { kind: 'status', status: 503 } as const;
        simulator.faults.add({ match: { method: 'GET', times: Infinity }, action: away });
        const giveUpAt = Date.now() + 4_000;
        await until('the time is over', () => Date.now() > giveUpAt);
        simulator.faults.clear();

        expect((await run.result()).status).toBe('ACTIVE');
      },
    ));
});

/** The polls by timer end before the task does. */
const HASTY = {
  looksByTimer: 1,
  minMs: 1,
  maxMs: 2,
  shareOfElapsed: 0.001,
  typical: {},
  otherwise: { firstMs: 1, usualMs: 1 },
};
