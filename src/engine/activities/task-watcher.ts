import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import { pollDelay, typicalDuration, type PollPolicy } from '../core/run-policy.js';
import { isTerminal, type TaskReads, type TaskView, type WatchedTask } from '../core/tasks.js';
import {
  createListHealth,
  isRateLimit,
  isTransient,
  isUnreadable,
  messageOf,
  notWatching,
  type ListHealth,
  type ListHealthEvents,
} from './list-health.js';
import { createWaitsByTask, type WaitsByTask } from './waits-by-task.js';

export interface TaskToWatch extends WatchedTask {
  /**
   * How long the run has waited for it already, in milliseconds: a watch may begin late, such as after a
   * restart of the worker. The worker's clock says nothing about it: `since` is a time of another machine.
   */
  waitedMs: number;
}

/** Watches all tasks of an account that runs wait for, with as few requests as possible. */
export interface TaskWatcher<V extends TaskView = TaskView> {
  /**
   * Resolves with the ended task. Rejects with the failure of its read, as `NotWatching` when the list of
   * tasks or this task cannot be read, or when `signal` aborts.
   */
  watch(task: TaskToWatch, signal: AbortSignal): Promise<V>;
  /** Why the last look failed; `undefined` when it did not. */
  trouble(): string | undefined;
  /** Number of tasks that are watched now. */
  watched(): number;
}

export interface WatcherOptions extends ListHealthEvents {
  /** How many watchers look at the tasks of this account, this one included. */
  watchers?: () => number;
}

interface Waiter<V> extends WatchedTask {
  /** When the wait began, monotonic as the next: no clock that is set moves them. */
  startedAt: number;
  dueAt: number;
  /** Reads of this task that failed while the list could be read. */
  missed: number;
  /** True after the list of active tasks has shown it: its absence then means that it has ended. */
  listed: boolean;
  /** When the task itself was read last, or else when the wait began. */
  readAt: number;
  resolve: (task: V) => void;
  reject: (error: unknown) => void;
}

type Waiters<V> = WaitsByTask<Waiter<V>>;

/** Above this number of ended tasks, one list call replaces a read of each. */
const MIN_ENDED_FOR_LIST = 3;
/** After so many of the longest pauses, a task is read although the list shows it as active: the list may be wrong. */
const DOUBTED_AFTER = 10;
/** Reads of one task that may fail before the watcher leaves the task to its run. */
const MAX_MISSED = 3;
/**
 * Shares of the shortest cycle by which it grows with each watcher and each page of the list: all together
 * make three requests in two seconds.
 */
const CYCLE_PER_REQUEST = 0.34;
/** Shortest cycles until the watcher tries a list again that it has given up. */
const RETRY_CYCLES = 30;

/**
 * Creates the watcher of one account. It makes one list call per cycle, whatever the number of tasks:
 * a task that has left the list of active ones has ended. It reads a single task directly, as rarely
 * as the poll policy allows. The more watchers there are, and the longer the list, the longer is the
 * cycle of each.
 */
export function createTaskWatcher<V extends TaskView>(
  reads: TaskReads<V>,
  poll: PollPolicy,
  { watchers = () => 1, ...events }: WatcherOptions = {},
): TaskWatcher<V> {
  const waiters: Waiters<V> = createWaitsByTask();
  const list = createListHealth(reads, { ...events, retryMs: poll.minMs * RETRY_CYCLES });
  let isRunning = false;
  let trouble: string | undefined;
  const { settle, fail } = endingsOf(waiters);

  const run = async (): Promise<void> => {
    isRunning = true;
    let failures = 0;
    let pages = 1;
    while (waiters.size > 0) {
      const now = performance.now();
      const due = new Set([...waiters].filter((waiter) => waiter.dueAt <= now));
      try {
        const doubtedMs = poll.maxMs * DOUBTED_AFTER;
        if (due.size > 0)
          pages = await look({ reads, list, waiters, due, doubtedMs, settle, fail });
        for (const waiter of due) waiter.dueAt = nextLook(waiter, poll);
        failures = 0;
        trouble = undefined;
      } catch (error) {
        trouble = messageOf(error);
        if (!isTransient(error)) fail([...waiters], error);
        failures += 1;
      }
      const cycleMs = poll.minMs * Math.max(1, watchers() * pages * CYCLE_PER_REQUEST);
      await delay(Math.max(cycleMs, Math.min(poll.minMs * 2 ** failures, poll.maxMs)));
    }
    isRunning = false;
  };

  const begin = (task: TaskToWatch, signal: AbortSignal): Promise<V> =>
    new Promise((resolve, reject) => {
      const began = beginOf(task, poll);
      const unseen = { missed: 0, listed: false, readAt: performance.now() };
      const waiter = { ...task, ...began, ...unseen, resolve, reject };
      waiters.add(waiter);
      signal.addEventListener('abort', () => {
        fail([waiter], signal.reason);
      });
      // Never rejects: a failure of a cycle goes to the waiters or to the next cycle.
      if (!isRunning) void run();
    });

  return {
    async watch(task, signal) {
      signal.throwIfAborted();
      list.refuseWhileBroken();
      return begin(task, signal);
    },
    trouble: () => trouble,
    watched: () => waiters.size,
  };
}

/** How a wait ends: with the task, or with a failure. */
function endingsOf<V extends TaskView>(waiters: Waiters<V>): Pick<Look<V>, 'settle' | 'fail'> {
  return {
    settle: (task) => {
      if (!isTerminal(task.state)) return;
      for (const waiter of waiters.of(task.id)) {
        waiters.delete(waiter);
        waiter.resolve(task);
      }
    },
    fail: (failed, error) => {
      for (const waiter of failed) {
        waiters.delete(waiter);
        waiter.reject(error);
      }
    },
  };
}

interface Look<V extends TaskView> {
  reads: TaskReads<V>;
  list: ListHealth;
  waiters: Waiters<V>;
  due: ReadonlySet<Waiter<V>>;
  doubtedMs: number;
  settle: (task: V) => void;
  fail: (failed: Iterable<Waiter<V>>, error: unknown) => void;
}

/** Gives the requests that a look takes. */
async function look<V extends TaskView>(parts: Look<V>): Promise<number> {
  const { reads, list, waiters, due, doubtedMs, settle, fail } = parts;
  const [first, another] = waiters.taskIds();
  if (first !== undefined && another !== undefined) return lookAtList(first);
  await readEach(due);
  return 1;

  async function lookAtList(anyTask: string): Promise<number> {
    const active = new Set(await list.read(anyTask));
    const gone: Waiter<V>[] = [];
    for (const waiter of waiters) {
      // A task that was never listed may be too new for the list: it is read when it is due.
      const hasEnded = waiter.listed || due.has(waiter);
      if (active.has(waiter.taskId)) waiter.listed = true;
      else if (hasEnded) gone.push(waiter);
    }
    if (new Set(gone.map((waiter) => waiter.taskId)).size > MIN_ENDED_FOR_LIST) {
      const since = gone.reduce((first, waiter) => Math.min(first, waiter.since), Infinity);
      try {
        for (const task of await reads.listEndedTasks({ since })) settle(task);
      } catch (error) {
        giveBack(gone, error);
      }
    }
    await readEach(gone.filter((waiter) => waiters.has(waiter)));
    const pages = Math.max(Math.ceil(active.size / reads.pageSize), 1);
    const doubted = longestUnread(waiters);
    if (doubted === undefined || performance.now() - doubted.readAt < doubtedMs) return pages;
    await readEach([doubted]);
    return pages + 1;
  }

  async function readEach(left: Iterable<Waiter<V>>): Promise<void> {
    for (const waiter of left) {
      if (!waiters.has(waiter)) continue;
      try {
        settle(await reads.getTask({ taskId: waiter.taskId }));
        for (const same of waiters.of(waiter.taskId)) same.readAt = performance.now();
        waiter.missed = 0;
      } catch (error) {
        giveBack(waiters.of(waiter.taskId), error);
      }
    }
  }

  /** Leaves tasks to their runs when they cannot be read, so that they stop nobody else; otherwise throws. */
  function giveBack(unread: readonly Waiter<V>[], error: unknown): void {
    if (!isTransient(error)) {
      fail(unread, error);
      return;
    }
    if (!isRateLimit(error)) for (const waiter of unread) waiter.missed += 1;
    const left = unread.filter(({ missed }) => isUnreadable(error) || missed >= MAX_MISSED);
    fail(left, notWatching(error));
    if (left.length < unread.length) throw error;
  }
}

/** However many there are, a look reads one of them. */
function longestUnread<V>(waiters: Waiters<V>): Waiter<V> | undefined {
  let longest: Waiter<V> | undefined;
  for (const waiter of waiters) {
    if (longest === undefined || waiter.readAt < longest.readAt) longest = waiter;
  }
  return longest;
}

type Looked = Pick<Waiter<unknown>, 'type' | 'startedAt'>;

function beginOf(
  { type, waitedMs }: TaskToWatch,
  poll: PollPolicy,
): Pick<Waiter<unknown>, 'startedAt' | 'dueAt'> {
  const startedAt = performance.now() - Math.max(waitedMs, 0);
  return { startedAt, dueAt: startedAt + typicalDuration(type, poll).firstMs };
}

function nextLook({ type, startedAt }: Looked, poll: PollPolicy): number {
  const now = performance.now();
  const elapsedMs = Math.max(now - startedAt, 1);
  return now + pollDelay({ type, elapsedMs, random: Math.random() }, poll);
}
