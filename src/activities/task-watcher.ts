import { setTimeout as delay } from 'node:timers/promises';

import { ApplicationFailure } from '@temporalio/common';

import { CLOCK_SKEW_MS } from '../contract/clock-skew.js';
import { pollDelay, typicalDuration } from '../contract/poll-delay.js';
import type { PollPolicy } from '../contract/run-policy.js';
import { isTerminal } from '../contract/task-state.js';
import type { TaskReads, TaskView } from './tasks.js';

export interface WatchedTask {
  taskId: string;
  /** The task type that is expected: it decides when the first look is worth a request. */
  type: string;
  /** When the wait began, in milliseconds since the epoch. */
  since: number;
  /** A look after this time that does not show the end is the last one; never when left out. */
  giveUpAt?: number;
}

/** Looks at all the tasks of an account that runs wait for, with as few requests as can be. */
export interface TaskWatcher {
  /** Resolves with the ended task; rejects with the failure of its read, or when `signal` aborts. */
  watch(task: WatchedTask, signal: AbortSignal): Promise<TaskView>;
}

interface Waiter extends WatchedTask {
  dueAt: number;
  /** Seen in the list of active tasks; its absence there then means that it has ended. */
  listed: boolean;
  resolve: (task: TaskView) => void;
  reject: (error: unknown) => void;
}

/** From this many ended tasks on, one list call replaces a read of each. */
const MANY = 3;

/**
 * One watcher for one account. While anything is watched it makes one list call a cycle, whatever
 * the number of tasks: a task that has left the list of active ones has ended. A single task is
 * read directly, as seldom as the poll policy allows.
 */
export function createTaskWatcher(reads: TaskReads, poll: PollPolicy): TaskWatcher {
  const waiters = new Set<Waiter>();
  let isRunning = false;

  const settle = (task: TaskView): void => {
    if (!isTerminal(task.state)) return;
    for (const waiter of waiters) {
      if (waiter.taskId !== task.id) continue;
      waiters.delete(waiter);
      waiter.resolve(task);
    }
  };
  const fail = (failed: Iterable<Waiter>, error: unknown): void => {
    for (const waiter of failed) {
      waiters.delete(waiter);
      waiter.reject(error);
    }
  };
  const run = async (): Promise<void> => {
    isRunning = true;
    let failures = 0;
    while (waiters.size > 0) {
      const now = Date.now();
      const due = new Set([...waiters].filter((waiter) => waiter.dueAt <= now));
      try {
        if (due.size > 0) await look({ reads, waiters, due, settle, fail });
        for (const waiter of due) waiter.dueAt = nextLook(waiter, poll);
        failures = 0;
      } catch (error) {
        if (!isPassing(error)) fail([...waiters], error);
        failures += 1;
      }
      await delay(Math.min(poll.minMs * 2 ** failures, poll.maxMs));
    }
    isRunning = false;
  };

  return {
    watch(task, signal) {
      signal.throwIfAborted();
      return new Promise<TaskView>((resolve, reject) => {
        const waiter: Waiter = { ...task, listed: false, dueAt: 0, resolve, reject };
        waiter.dueAt = firstLook(waiter, poll);
        waiters.add(waiter);
        signal.addEventListener('abort', () => {
          fail([waiter], signal.reason);
        });
        // Never rejects: whatever goes wrong in a cycle reaches the waiters or the next cycle.
        if (!isRunning) void run();
      });
    },
  };
}

interface Look {
  reads: TaskReads;
  waiters: ReadonlySet<Waiter>;
  due: ReadonlySet<Waiter>;
  settle: (task: TaskView) => void;
  fail: (failed: Iterable<Waiter>, error: unknown) => void;
}

async function look({ reads, waiters, due, settle, fail }: Look): Promise<void> {
  const ids = new Set([...waiters].map((waiter) => waiter.taskId));
  if (ids.size > 1) await lookAtList();
  else await readEach(due);

  async function lookAtList(): Promise<void> {
    const active = new Set(await reads.listActiveTaskIds());
    const gone: Waiter[] = [];
    for (const waiter of waiters) {
      // One that was never listed may be too young for the list: it is read when it is due.
      const hasEnded = waiter.listed || due.has(waiter);
      if (active.has(waiter.taskId)) waiter.listed = true;
      else if (hasEnded) gone.push(waiter);
    }
    if (new Set(gone.map((waiter) => waiter.taskId)).size > MANY) {
      const since = Math.min(...gone.map((waiter) => waiter.since)) - CLOCK_SKEW_MS;
      for (const task of await reads.listEndedTasks({ since })) settle(task);
    }
    await readEach(gone.filter((waiter) => waiters.has(waiter)));
  }

  async function readEach(left: Iterable<Waiter>): Promise<void> {
    for (const waiter of left) {
      if (!waiters.has(waiter)) continue;
      try {
        settle(await reads.getTask({ taskId: waiter.taskId }));
      } catch (error) {
        if (isPassing(error)) throw error;
        fail(
          [...waiters].filter(({ taskId }) => taskId === waiter.taskId),
          error,
        );
      }
    }
  }
}

/** At once for one that is taken up late, such as after a restart of the worker: it may have ended. */
function firstLook({ type, since }: WatchedTask, poll: PollPolicy): number {
  return since + typicalDuration(type, poll).firstMs;
}

function nextLook({ type, since }: WatchedTask, poll: PollPolicy): number {
  const now = Date.now();
  const elapsedMs = Math.max(now - since, 1);
  return now + pollDelay({ type, elapsedMs, random: Math.random() }, poll);
}

/** Whether Temporal would try again too: an outage, a rate limit. */
function isPassing(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.nonRetryable !== true;
}
