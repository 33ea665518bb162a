import { performance } from 'node:perf_hooks';

import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';

import { createTaskWatcher } from '../../../src/engine/activities/task-watcher.js';
import type { TaskReads } from '../../../src/engine/core/tasks.js';
import { createTaskReads } from '../../../src/activities/tasks.js';
import { createActivityEnvironment, inActivity } from '../../support/http/in-activity.js';
import { createScriptedApi, json } from '../../support/http/scripted-api.js';
import { until } from '../../support/timing/until.js';
import { createReads, fastPoll as poll, ids, never, statesOf, watched } from './watched-tasks.js';

const UNREADABLE = ApplicationFailure.nonRetryable('unknown form of body', 'UnexpectedResponse');
const NO_ANSWER = ApplicationFailure.retryable('no answer in time', 'ServiceUnavailable');

describe('a watcher whose list', () => {
  it.each([
    ['has an unknown form', UNREADABLE],
    ['is never answered, although single tasks are', NO_ANSWER],
    ['is refused', ApplicationFailure.nonRetryable('was answered with 403', 'Unauthorized')],
  ])('%s lets all runs look by themselves, and says so once', async (_title, error) => {
    const api = createReads(statesOf(ids(20)));
    api.broken.set('list active', error);
    const said: string[] = [];
    const watcher = createTaskWatcher(api.reads, poll, {
      onNotWatching: (reason) => said.push(reason),
    });

    const ends = await Promise.allSettled(ids(20).map((id) => watcher.watch(watched(id), never)));
    const asked = api.asked.length;
    const late = await Promise.allSettled(ids(20).map((id) => watcher.watch(watched(id), never)));

    for (const end of [...ends, ...late]) {
      expect(end).toMatchObject({ reason: { type: 'NotWatching', nonRetryable: true } });
    }
    expect(said).toEqual([error.message]);
    expect(api.asked).toHaveLength(asked);
  });

  it('can be read again watches again, and says so', async () => {
    const states = statesOf(ids(5));
    const api = createReads(states);
    api.broken.set('list active', UNREADABLE);
    const said: string[] = [];
    const watcher = createTaskWatcher(api.reads, poll, {
      onNotWatching: () => said.push('not watching'),
      onWatching: () => said.push('watching'),
    });
    const watchAll = () =>
      Promise.allSettled(ids(5).map((id) => watcher.watch(watched(id), never)));
    const lists = () => api.asked.filter((what) => what === 'list active').length;
    await watchAll();
    const tried = lists();
    await until('it has tried the list again', async () => (await watchAll(), lists() > tried));

    api.broken.clear();
    for (const id of ids(5)) states[id] = 'FINISHED';
    await until('it watches', async () =>
      (await watchAll()).every(({ status }) => status === 'fulfilled'),
    );

    expect(said).toEqual(['not watching', 'watching']);
  });

  it('fails in an outage of the whole API waits for its end', async () => {
    const states = statesOf(ids(5));
    const api = createReads(states);
    const watcher = createTaskWatcher(api.reads, poll);
    const ends = ids(5).map((id) => watcher.watch(watched(id), never));
    api.setOutage(NO_ANSWER);
    await until('it has tried a few times', () => api.asked.length > 7);

    expect(watcher.trouble()).toBe('no answer in time');
    api.setOutage(undefined);
    for (const id of ids(5)) states[id] = 'FINISHED';
    expect(await Promise.all(ends)).toHaveLength(5);
  });
});

describe('a watcher', () => {
  it('leaves all runs to themselves when single tasks have an unknown form too', async () => {
    const api = createReads(statesOf(ids(5)));
    api.setOutage(UNREADABLE);
    const watcher = createTaskWatcher(api.reads, poll);

    const ends = await Promise.allSettled(ids(5).map((id) => watcher.watch(watched(id), never)));

    for (const end of ends) expect(end).toMatchObject({ reason: { type: 'NotWatching' } });
  });

  it('waits for its turn when the list is answered with 429', async () => {
    const states = statesOf(ids(5));
    const api = createReads(states);
    api.broken.set('list active', ApplicationFailure.retryable('slow down', 'RateLimited'));
    const watcher = createTaskWatcher(api.reads, poll);
    const ends = ids(5).map((id) => watcher.watch(watched(id), never));
    await until('it has tried it often', () => {
      return api.asked.filter((what) => what === 'list active').length > 4;
    });

    api.broken.clear();
    for (const id of ids(5)) states[id] = 'FINISHED';

    expect(await Promise.all(ends)).toHaveLength(5);
  });
});

describe('a watcher whose list has several pages', () => {
  /** The size of a page. */
  const LIMIT = 1_000;
  const taskOf = (id: string) => ({
    id,
    task_type: 'create_vm',
    state: 'RUNNING',
    error: null,
    created_resources: {},
  });
  const pageFrom = (offset: number) => ids(3 * LIMIT).slice(offset, offset + LIMIT);

  it.each([LIMIT, 2 * LIMIT])(
    'gives it up soon when the page from %d on is answered with 503, while single tasks are',
    async (broken) => {
      const { api } = createScriptedApi(({ url }) => {
        const { pathname, searchParams } = new URL(url);
        const offset = searchParams.get('offset');
        if (offset === null) return json(taskOf(pathname.split('/').at(-1) ?? ''));
        if (Number(offset) === broken) return json({ message: 'no' }, 503);
        return json({ count: 3 * LIMIT, results: pageFrom(Number(offset)).map(taskOf) });
      });
      const watcher = createTaskWatcher(createTaskReads({ api }), poll);
      const startedAt = performance.now();

      const ends = await inActivity(
        () => Promise.allSettled(ids(2).map((id) => watcher.watch(watched(id), never))),
        createActivityEnvironment({ startToCloseTimeoutMs: 600_000 }),
      );

      for (const end of ends) expect(end).toMatchObject({ reason: { type: 'NotWatching' } });
      // Three lists of two seconds; in production there are 12 s between them.
      expect(performance.now() - startedAt).toBeLessThan(20_000);
    },
    60_000,
  );
});

describe('a task that cannot be read', () => {
  it.each([
    ['has an unknown form', UNREADABLE],
    ['is never answered', NO_ANSWER],
  ])('and %s is left to its run, and the others are watched', async (_title, error) => {
    const states = statesOf(['a', 'b', 'c']);
    const api = createReads(states);
    api.broken.set('get a', error);
    const watcher = createTaskWatcher(api.reads, poll);
    const [bad, ...good] = ['a', 'b', 'c'].map((id) => watcher.watch(watched(id), never));
    for (const id of ['a', 'b']) states[id] = 'FINISHED';

    await expect(bad).rejects.toMatchObject({ type: 'NotWatching' });
    states['c'] = 'FINISHED';

    expect(await Promise.all(good)).toHaveLength(2);
  });

  it('with more ended ones in a list that fails too, is left to its run', async () => {
    const states = statesOf(ids(10));
    const api = createReads(states);
    api.broken.set('list ended', NO_ANSWER);
    const watcher = createTaskWatcher(api.reads, poll);
    const ends = ids(10).map((id) => watcher.watch(watched(id), never));
    // From then on all are missed at once when they end.
    await until('they have been listed', () => api.asked.includes('list active'));
    for (const id of ids(10)) states[id] = 'FINISHED';

    const settled = await Promise.allSettled(ends);

    for (const end of settled) expect(end).toMatchObject({ reason: { type: 'NotWatching' } });
  });
});

describe('several watchers of an account', () => {
  it.each([
    [1, 5, 1],
    [2, 5, 1],
    [4, 5, 1.36],
    [8, 5, 2.72],
    [4, 1_500, 2.72],
  ])(
    '%d of them, with %d tasks, list so much less often each: cycles of %d times the shortest',
    async (n, tasks, factor) => {
      const api = createReads(statesOf(ids(tasks)));
      const at: number[] = [];
      const reads: TaskReads = {
        ...api.reads,
        listActiveTaskIds: () => {
          at.push(performance.now());
          return api.reads.listActiveTaskIds();
        },
      };
      const slow = { ...poll, minMs: 100 };
      const watcher = createTaskWatcher(reads, slow, { watchers: () => n });
      const stop = new AbortController();
      const since = Date.now() - 200_000;
      const ends: Promise<unknown>[] = [];
      // Tasks that have run for long are looked at at once: each cycle has one.
      await until('it has listed', () => {
        ends.push(...ids(5).map((id) => watcher.watch({ ...watched(id), since }, stop.signal)));
        return at.length > 4;
      });
      stop.abort(new Error('stop'));
      await Promise.allSettled(ends);

      const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
      // Longer on a busy machine.
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100 * factor - 2);
      expect(Math.min(...gaps)).toBeLessThan(100 * factor + 70);
    },
  );
});
