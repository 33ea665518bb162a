import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';

import { watchTaskQueue, WORKFLOW_TASK_QUEUE } from '../../src/contract/wire/names.js';
import { aliveAmong, listPollers } from '../../src/worker/peers.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { until } from '../support/timing/until.js';
import type { WorkerProcess } from '../support/workers/worker-process.js';
import { inFaultWorld, type FaultWorld } from '../support/worlds/fault-world.js';

/** Polls as in production, and tasks take 30 to 60 s: long enough for a process to take the place of another. */
const REAL_TIME = {
  timeScale: 2,
  fast: { speed: 1, reconcileGraceMs: 2_000, probeMs: 5_000 },
};
/** Otherwise the server takes a process that has ended for alive for 75 s. */
const FORGETS_AT_ONCE = { 'frontend.enableCancelWorkerPollsOnShutdown': true };

/** The lease of a process runs out after 15 s. */
const TAKEN_OVER_WITHIN_MS = 30_000;

const NAMES = ['web-1', 'web-2', 'web-3', 'web-4', 'web-5', 'web-6'];

const isOf =
  ({ child }: WorkerProcess) =>
  (identity: string): boolean =>
    identity.startsWith(`${child.pid}@`);

/** A watch that has ended has no watcher left: on a busy machine the shortest task ends before the last watch moves. */
const hasEndedOrIsOf =
  (process: WorkerProcess) =>
  (identity: string): boolean =>
    identity === '' || isOf(process)(identity);

/** Two processes that watch some runs, and what is started after them. */
async function openWatched<T>(world: FaultWorld, startMore: () => Promise<T>) {
  const connection = await Connection.connect({ address: world.address });
  const client = new Client({ connection });
  const [first, second] = [await world.startWorker(), await world.startWorker()];
  const third = await startMore();
  /** Whether these processes poll for watches, and no other. */
  const isPolledBy = async (...expected: readonly WorkerProcess[]): Promise<boolean> => {
    const queue = watchTaskQueue('default');
    const found = aliveAmong(await listPollers({ connection, namespace: 'default' }, queue));
    return found.length === expected.length && expected.every((one) => found.some(isOf(one)));
  };
  await until('the first two watch', () => isPolledBy(first, second));
  const runs = await Promise.all(NAMES.map((name) => startRun(client, name)));
  /** The processes that watch, one for each run. */
  const watchers = () => Promise.all(runs.map(watcherOf));
  await until('all are watched', async () => (await watchers()).every(Boolean));
  return { connection, first, second, third, isPolledBy, runs, watchers };
}

function startRun(client: Client, name: string): Promise<WorkflowHandle> {
  return client.workflow.start('provisionInstance', {
    workflowId: randomUUID(),
    taskQueue: WORKFLOW_TASK_QUEUE,
    args: [provisionInput({ name })],
  });
}

async function watcherOf(run: WorkflowHandle): Promise<string> {
  const { raw } = await run.describe();
  const isWatch = ({ activityType }: { activityType?: { name?: string | null } | null }) =>
    activityType?.name === 'watchTask';
  const watch = raw.pendingActivities?.find(isWatch);
  return watch?.lastStartedTime ? (watch.lastWorkerIdentity ?? '') : '';
}

/** What the runs have asked of a watcher: an attempt more adds no event, and no watch has failed. */
async function watchEventsOf(run: WorkflowHandle): Promise<string[]> {
  const { events = [] } = await run.fetchHistory();
  const ids = new Set<string>();
  const found: string[] = [];
  for (const { eventId, ...event } of events ?? []) {
    const { activityType } = event.activityTaskScheduledEventAttributes ?? {};
    if (activityType?.name === 'watchTask') {
      ids.add(String(eventId));
      found.push('scheduled');
    }
    const endings = {
      completed: event.activityTaskCompletedEventAttributes,
      failed: event.activityTaskFailedEventAttributes,
      'timed out': event.activityTaskTimedOutEventAttributes,
    };
    for (const [ending, attributes] of Object.entries(endings)) {
      if (ids.has(String(attributes?.scheduledEventId))) found.push(ending);
    }
  }
  return found;
}

/** The process whose attempt ended the watch of a run. */
async function watchEnderOf(run: WorkflowHandle): Promise<string> {
  const { events } = await run.fetchHistory();
  const watch = events?.find(
    ({ activityTaskScheduledEventAttributes: scheduled }) =>
      scheduled?.activityType?.name === 'watchTask',
  );
  const started = events
    ?.map((event) => event.activityTaskStartedEventAttributes)
    .find((attempt) => String(attempt?.scheduledEventId) === String(watch?.eventId));
  return started?.identity ?? '';
}

describe('of the processes of an account', () => {
  it('two watch, a third takes the place of one that ends, and no run notices', () =>
    inFaultWorld(
      async (world) => {
        const watched = await openWatched(world, () => world.startWorker());
        const { connection, first, second, third, isPolledBy, runs, watchers } = watched;
        expect((await watchers()).some(isOf(first))).toBe(true);

        first.child.kill('SIGTERM');
        await until('the second watches all', async () =>
          (await watchers()).every(hasEndedOrIsOf(second)),
        );
        await until('the third takes the place', () => isPolledBy(second, third));
        await Promise.all(runs.map((run) => run.result()));

        for (const run of runs)
          expect(await watchEventsOf(run)).toEqual(['scheduled', 'completed']);
        await connection.close();
      },
      { ...REAL_TIME, dynamicConfig: FORGETS_AT_ONCE },
    ));

  it('a third stands in when the two end that the server still lists, and no run notices', () =>
    inFaultWorld(async (world) => {
      const watched = await openWatched(world, () => world.startWorker());
      const { connection, first, second, third, runs, watchers } = watched;

      for (const { child } of [first, second]) child.kill('SIGTERM');
      await until('the third watches all', async () =>
        (await watchers()).every(hasEndedOrIsOf(third)),
      );
      await Promise.all(runs.map((run) => run.result()));

      for (const run of runs) {
        expect(await watchEventsOf(run)).toEqual(['scheduled', 'completed']);
        expect(await watchEnderOf(run)).toMatch(new RegExp(`^${third.child.pid}@`));
      }
      await connection.close();
    }, REAL_TIME));

  it('the second goes on with the watches of the first, which is killed', () =>
    inFaultWorld(async (world) => {
      const watched = await openWatched(world, () => Promise.resolve());
      const { connection, first, second, runs, watchers } = watched;
      expect((await watchers()).some(isOf(first))).toBe(true);

      const killedAt = Date.now();
      first.child.kill('SIGKILL');
      await until('the second watches all', async () =>
        (await watchers()).every(hasEndedOrIsOf(second)),
      );
      expect(Date.now() - killedAt).toBeLessThan(TAKEN_OVER_WITHIN_MS);
      await Promise.all(runs.map((run) => run.result()));

      for (const run of runs) expect(await watchEventsOf(run)).toEqual(['scheduled', 'completed']);
      await connection.close();
    }, REAL_TIME));
});
