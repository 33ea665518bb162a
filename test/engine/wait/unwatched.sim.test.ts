import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { explainRun } from '../../../src/client/explain/explain-run.js';
import { statusQuery } from '../../../src/engine/core/messages.js';
import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import { scalePollPolicy } from '../../../src/engine/core/run-policy.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
/** A fifth of the times in production: a run that relies on a watcher looks by itself after two minutes. */
const policy = { poll: scalePollPolicy(DEFAULT_POLL_POLICY, 0.2) };
const RELIES_ON_A_WATCHER_MS = 90_000;

const LIST_OF_TASKS = { path: /^\/cloud\/v1\/tasks$/, times: Infinity };

async function untilUnwatched(run: WorkflowHandle, why: string): Promise<void> {
  await until('the run says that no worker watches it', async () => {
    const { waiting } = await run.query(statusQuery);
    return waiting?.unwatched?.includes(why) === true;
  });
}

/** Neither is watched alone: the watcher reads a single task, and needs no list for it. */
function startTwo(start: Scenario['start']) {
  const names = ['web-1', 'web-2'];
  return Promise.all(names.map((name) => start('provisionInstance', provisionInput({ name }))));
}

function makeListUnreadable({ faults }: Scenario['simulator']): void {
  const action = { kind: 'status', status: 200, body: { surprise: true } } as const;
  faults.add({ match: LIST_OF_TASKS, action });
}

async function untilWatched(runs: readonly WorkflowHandle[]): Promise<void> {
  await until('they are watched again', async () => {
    const statuses = await Promise.all(runs.map((run) => run.query(statusQuery)));
    return statuses.every(({ waiting }) => waiting?.watched === true || waiting === undefined);
  });
}

async function eventsOf(run: WorkflowHandle): Promise<{ all: number; watches: number }> {
  const { events } = await run.fetchHistory();
  const names = (events ?? []).map(
    ({ activityTaskScheduledEventAttributes: call }) => call?.activityType?.name,
  );
  return { all: names.length, watches: names.filter((name) => name === 'watchTask').length };
}

describe('a run that asks for a watcher', () => {
  it('looks by itself where no worker watches, says so, and asks again with few events', () =>
    inScenario({ speed: 1, policy, watchWorker: false }, async ({ start, client }) => {
      const startedAt = Date.now();
      const run = await start('provisionInstance', provisionInput());

      await untilUnwatched(run, 'no worker has a watcher');
      const { paragraph } = await explainRun({ client, answerWithinMs: 10_000 }, run.workflowId);
      await run.result();

      expect(Date.now() - startedAt).toBeLessThan(RELIES_ON_A_WATCHER_MS);
      expect(paragraph).toContain('No worker watches it: no worker has a watcher');
      expect(paragraph).toContain('It checks again at');
      const events = await eventsOf(run);
      expect(events.watches).toBeGreaterThan(1);
      expect(events.watches).toBeLessThan(8);
    }));

  it('looks by itself when the list of tasks cannot be read, and is watched again later', () =>
    inScenario({ speed: 0.5, policy }, async ({ start, simulator }) => {
      const startedAt = Date.now();
      makeListUnreadable(simulator);
      const runs = await startTwo(start);

      for (const run of runs) await untilUnwatched(run, 'cannot read the tasks');
      simulator.faults.clear();
      await untilWatched(runs);
      await Promise.all(runs.map((run) => run.result()));
      for (const run of runs) expect((await eventsOf(run)).watches).toBeGreaterThan(1);
      expect(Date.now() - startedAt).toBeLessThan(RELIES_ON_A_WATCHER_MS);
    }));

  it('looks often again as soon as a watch that it relied on has failed', () =>
    inScenario({ speed: 0.1, policy }, async ({ start, simulator }) => {
      const startedAt = Date.now();
      makeListUnreadable(simulator);
      const runs = await startTwo(start);
      for (const run of runs) await untilUnwatched(run, 'cannot read the tasks');
      simulator.faults.clear();
      await untilWatched(runs);

      makeListUnreadable(simulator);
      for (const run of runs) await untilUnwatched(run, 'cannot read the tasks');

      await Promise.all(runs.map((run) => run.terminate('seen')));
      expect(Date.now() - startedAt).toBeLessThan(RELIES_ON_A_WATCHER_MS);
    }));
});
