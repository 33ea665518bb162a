import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';

import { createTaskWatcher } from '../../../src/engine/activities/task-watcher.js';
import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import { withClockSetBy } from '../../support/timing/set-clock.js';
import {
  createReads,
  fastPoll as poll,
  ids,
  never,
  statesOf,
  task,
  watched,
} from './watched-tasks.js';

describe('a task watcher', () => {
  it('reads a single task directly, first near its typical duration', async () => {
    const api = createReads({ a: 'FINISHED' });
    const watcher = createTaskWatcher(api.reads, poll);
    const since = Date.now();

    const ended = await watcher.watch(watched('a'), never);

    expect(ended).toEqual(task('a', 'FINISHED'));
    expect(Date.now() - since).toBeGreaterThanOrEqual(148);
    expect(api.asked).toEqual(['get a']);
  });

  it('makes one list call per cycle for a hundred tasks, and one more for all ended ones', async () => {
    const names = ids(100);
    const states = statesOf(names);
    const api = createReads(states);
    const watcher = createTaskWatcher(api.reads, poll);
    const ends = names.map((name) => watcher.watch(watched(name), never));
    await delay(300);
    const cycles = api.asked.length;

    for (const name of names) states[name] = 'FINISHED';
    const ended = await Promise.all(ends);

    expect(ended.map(({ id }) => id)).toEqual(names);
    expect(new Set(api.asked.slice(0, cycles))).toEqual(new Set(['list active']));
    expect(api.asked.slice(cycles).filter((what) => what === 'list ended')).toHaveLength(1);
    expect(api.asked.filter((what) => what.startsWith('get'))).toEqual([]);
  });

  it('finds out about each of many thousand ended tasks as cheaply as about each of a thousand', async () => {
    await cpuOfEachEnd(1_000);
    // Ten times as much for each where all are looked through for each. What runs beside it can only add to one measure.
    const ratios: number[] = [];
    while (ratios.length < 3 && !ratios.some((ratio) => ratio < 3)) {
      const few = await cpuOfEachEnd(2_000);
      ratios.push((await cpuOfEachEnd(20_000)) / few);
    }

    expect(Math.min(...ratios)).toBeLessThan(3);
  });

  it('reads the few that left the list one by one', async () => {
    const states = statesOf(['a', 'b', 'c']);
    const api = createReads(states);
    const watcher = createTaskWatcher(api.reads, poll);
    const first = watcher.watch(watched('a'), never);
    const abort = new AbortController();
    const others = ['b', 'c'].map((name) => watcher.watch(watched(name), abort.signal));
    await delay(200);

    states['a'] = 'ERROR';

    expect((await first).state).toBe('ERROR');
    expect(api.asked.filter((what) => what !== 'list active')).toEqual(['get a']);
    abort.abort(new Error('stop'));
    await expect(Promise.all(others)).rejects.toThrow('stop');
  });

  it('reads a task now and then, although the list goes on showing it as active', async () => {
    const states = statesOf(['a', 'b']);
    const api = createReads(states);
    const listActiveTaskIds = () => Promise.resolve(['a', 'b']);
    // Ten of the longest pauses are 100 ms.
    const watcher = createTaskWatcher({ ...api.reads, listActiveTaskIds }, { ...poll, maxMs: 10 });
    const ends = ['a', 'b'].map((name) => watcher.watch(watched(name), never));
    await delay(300);
    const reads = api.asked.length;

    states['a'] = 'FINISHED';
    states['b'] = 'ERROR';

    expect((await Promise.all(ends)).map(({ state }) => state)).toEqual(['FINISHED', 'ERROR']);
    expect(reads).toBeLessThanOrEqual(6);
  });

  it('resolves every wait for the same task', async () => {
    const api = createReads({ a: 'FINISHED' });
    const watcher = createTaskWatcher(api.reads, poll);

    const ended = await Promise.all([1, 2, 3].map(() => watcher.watch(watched('a'), never)));

    expect(ended).toHaveLength(3);
    expect(api.asked).toEqual(['get a']);
  });

  it('fails the wait for an unknown task and continues the others', async () => {
    const states = statesOf(['a']);
    const api = createReads(states);
    const watcher = createTaskWatcher(api.reads, poll);
    const known = watcher.watch(watched('a'), never);

    await expect(watcher.watch(watched('lost'), never)).rejects.toMatchObject({ type: 'NotFound' });

    states['a'] = 'FINISHED';
    expect((await known).id).toBe('a');
  });

  it('waits out an outage with fewer and fewer requests', async () => {
    const states = statesOf(ids(10));
    const api = createReads(states);
    const watcher = createTaskWatcher(api.reads, poll);
    const ends = ids(10).map((name) => watcher.watch(watched(name), never));
    api.setOutage(ApplicationFailure.retryable('no answer', 'ServiceUnavailable'));
    await delay(1_200);
    const askedInOutage = api.asked.length;

    api.setOutage(undefined);
    for (const name of ids(10)) states[name] = 'FINISHED';

    expect(await Promise.all(ends)).toHaveLength(10);
    expect(askedInOutage).toBeGreaterThan(1);
    expect(askedInOutage).toBeLessThan(8);
  });

  it('passes a final refusal to all waits, so that their runs look themselves', async () => {
    const api = createReads(statesOf(ids(3)));
    api.setOutage(ApplicationFailure.nonRetryable('wrong key', 'Unauthorized'));
    const watcher = createTaskWatcher(api.reads, poll);

    const ends = ids(3).map((name) => watcher.watch(watched(name), never));

    const settled = await Promise.allSettled(ends);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('sends nothing when nobody waits', async () => {
    const api = createReads({ a: 'FINISHED' });
    const watcher = createTaskWatcher(api.reads, poll);
    await watcher.watch(watched('a'), never);
    const asked = api.asked.length;

    await delay(200);

    expect(api.asked).toHaveLength(asked);
  });

  it('looks soon at a task with a long wait, such as after a restart', async () => {
    const api = createReads({ a: 'FINISHED' });
    const watcher = createTaskWatcher(api.reads, DEFAULT_POLL_POLICY);
    const started = Date.now();

    await watcher.watch({ ...watched('a'), waitedMs: 200_000 }, never);

    // The watcher leaves a new task alone for 15 s.
    expect(Date.now() - started).toBeLessThan(10_000);
  });

  it('waits in time when the clock is set back by a day', async () => {
    const api = createReads({ a: 'FINISHED' });
    const watcher = createTaskWatcher(api.reads, poll);
    const end = watcher.watch(watched('a'), never);

    const ended = await withClockSetBy(-24 * 3_600_000, () => end);

    expect(ended.id).toBe('a');
  });
});

/** Processor time of a watcher, in microseconds, for each of so many tasks that have all ended at its first look. */
async function cpuOfEachEnd(count: number): Promise<number> {
  const names = ids(count);
  const { reads } = createReads(Object.fromEntries(names.map((name) => [name, 'FINISHED'])));
  const watcher = createTaskWatcher(reads, poll);
  // A signal finds a listener as slowly as it has many.
  const ends = names.map((name) => watcher.watch(watched(name), new AbortController().signal));
  const before = process.cpuUsage();
  await Promise.all(ends);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
