import { setTimeout as delay } from 'node:timers/promises';

import { ApplicationFailure } from '@temporalio/common';

import { CLOCK_SKEW_MS } from '../contract/clock-skew.js';
import { pollDelay, typicalDuration } from '../contract/poll-delay.js';
import type { PollPolicy } from '../contract/run-policy.js';
import { isTerminal } from '../contract/task-state.js';
import type { TaskReads, TaskView } from './tasks.js';

export interface WatchedTask {
  taskId: string;
  /** The expected task type: it decides when the first look is worth a request. */
  type: string;
  /** When the wait began, in milliseconds since the epoch. */
  since: number;
  /** The first look after this time is the last one, even when the task has not ended; default never. */
  giveUpAt?: number;
}

/** Watches all tasks of an account that runs wait for, with as few requests as possible. */
export interface TaskWatcher {
  /** Resolves with the ended task. Rejects with the failure of its read, or when `signal` aborts. */
  watch(task: WatchedTask, signal: AbortSignal): Promise<TaskView>;
}

interface Waiter extends WatchedTask {
  dueAt: number;
  /** True after the list of active tasks has shown it: its absence then means that it has ended. */
  listed: boolean;
  resolve: (task: TaskView) => void;
  reject: (error: unknown) => void;
}

/** Above this number of ended tasks, one list call replaces a read of each. */
const MIN_ENDED_FOR_LIST = 3;

/**
 * Creates the watcher of one account. It makes one list call per cycle, whatever the number of tasks:
 * a task that has left the list of active ones has ended. It reads a single task directly, as rarely
 * as the poll policy allows.
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
        if (!isTransient(error)) fail([...waiters], error);
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
        // Never rejects: a failure of a cycle goes to the waiters or to the next cycle.
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
      // A task that was never listed may be too new for the list: it is read when it is due.
      const hasEnded = waiter.listed || due.has(waiter);
      if (active.has(waiter.taskId)) waiter.listed = true;
      else if (hasEnded) gone.push(waiter);
    }
    if (new Set(gone.map((waiter) => waiter.taskId)).size > MIN_ENDED_FOR_LIST) {
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
        if (isTransient(error)) throw error;
        fail(
          [...waiters].filter(({ taskId }) => taskId === waiter.taskId),
          error,
        );
      }
    }
  }
}

/** A past time for a watch that begins late, such as after a restart of the worker. */
function firstLook({ type, since }: WatchedTask, poll: PollPolicy): number {
  return since + typicalDuration(type, poll).firstMs;
}

function nextLook({ type, since }: WatchedTask, poll: PollPolicy): number {
  const now = Date.now();
  const elapsedMs = Math.max(now - since, 1);
  return now + pollDelay({ type, elapsedMs, random: Math.random() }, poll);
}

/** Whether Temporal would retry too: an outage, a rate limit. */
function isTransient(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.nonRetryable !== true;
}
