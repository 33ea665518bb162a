import {
  ActivityFailure,
  CancellationScope,
  isCancellation,
  sleep,
  TemporalFailure,
  TimeoutFailure,
} from '@temporalio/workflow';

import type { RemoteApi } from '../core/product.js';
import { isTerminal, type SeenAfter } from '../core/tasks.js';
import { watchStartMs, type EndedTask, type TaskCalls, type WaitedTask } from '../run/api.js';
import { failureOf, orUndefinedIfGone } from '../run/failures.js';
import { readTime } from '../run/read-times.js';
import type { ApiRun, TaskOutcome, Run } from '../run/run-types.js';

/** `undefined` while the task has not ended. A task that the API no longer knows is `GONE`. */
export function toOutcome<A extends RemoteApi>(
  taskId: string,
  ended: EndedTask<A> | undefined,
): TaskOutcome<A> | undefined {
  if (ended === undefined) return goneOutcome(taskId);
  const { id, state, error, errorType, created, seen } = ended;
  if (!isTerminal(state)) return undefined;
  return { id, state, error, errorType, created, ...(seen && { seen }) };
}

function goneOutcome(id: string): TaskOutcome<never> {
  return { id, state: 'GONE', error: undefined, errorType: undefined, created: undefined };
}

/** The calls by which a run waits for a task. A run whose API has no tasks never gets the id of one. */
export function taskCallsOf<A extends RemoteApi>({ taskCalls }: ApiRun<A>): TaskCalls<A> {
  if (taskCalls === undefined) throw new Error('The product names no calls for tasks');
  return taskCalls;
}

/** A watcher that comes and goes. The wait asks for it again, and its timers look how it stands. */
export interface Watch {
  /** When the watcher was asked that may be watching now; missing while none is asked. */
  askedAt?: number | undefined;
  /** The last time that there was no watcher, and why. */
  failed: { askedAt: number; trouble: string };
  /** What the run does because it relies on the watch: stopped when the watch fails. */
  relying?: CancellationScope | undefined;
}

/** A watcher is asked for again after this share of the time waited: a wait of days adds few events. */
const ASK_AGAIN_SHARE = 0.25;
/** A watch that a worker took in the last moment may still be refused. */
const LASTING_FACTOR = 1.5;

/**
 * Asks for a watcher again and again until the task has ended. The workers may have none, or one that
 * cannot read the tasks: meanwhile the timers look as often as without a watcher.
 */
export async function askUntilEnded<A extends RemoteApi>(
  run: ApiRun<A>,
  task: WaitedTask<A>,
  watch: Watch,
): Promise<TaskOutcome<A>> {
  const summary = `task ${task.taskId}: asks for a watcher again`;
  for (;;) {
    const waitMs = nextAskAt(run, task, watch.failed.askedAt) - Date.now();
    if (waitMs > 0) await sleep(waitMs, { summary });
    const askedAt = Date.now();
    watch.askedAt = askedAt;
    const found = (await askForWatch(run, task)) ?? { trouble: GAVE_UP };
    if ('outcome' in found) return found.outcome;
    watch.askedAt = undefined;
    watch.failed = { askedAt, trouble: found.trouble };
    watch.relying?.cancel();
  }
}

/** When a watcher is asked for again after there was none at this time. */
export function nextAskAt({ prepared }: Run, { since }: WaitedTask, failedAt: number): number {
  return failedAt + Math.max(watchStartMs(prepared.policy), (failedAt - since) * ASK_AGAIN_SHARE);
}

/** Whether a watch has lasted for some time, so that the timers may be rare. */
export function isLasting({ prepared }: Run, { askedAt }: Watch): boolean {
  const afterMs = watchStartMs(prepared.policy) * LASTING_FACTOR;
  return askedAt !== undefined && Date.now() - askedAt >= afterMs;
}

/** Does what relies on the watch; `undefined` when the watch fails meanwhile. */
export async function whileWatched<T>(watch: Watch, act: () => Promise<T>): Promise<T | undefined> {
  const { failed } = watch;
  try {
    return await CancellationScope.cancellable(async () => {
      watch.relying = CancellationScope.current();
      try {
        return await act();
      } finally {
        watch.relying = undefined;
      }
    });
  } catch (error) {
    if (watch.failed !== failed && isCancellation(error)) return undefined;
    throw error;
  }
}

/** What the watcher has read is as old as its read. */
function noteRead({ api }: Run, seen: SeenAfter | undefined, asked: number): void {
  if (seen === undefined) return;
  const { readAt, ...things } = seen;
  api.times.note(Object.values(things).flat(), readTime(readAt, { asked, heard: Date.now() }));
}

export type Watched<A extends RemoteApi = RemoteApi> =
  { outcome: TaskOutcome<A> } | { trouble: string };

/** Asks for a watcher once. `undefined` when it has seen nothing within `ms`. */
export async function askForWatch<A extends RemoteApi>(
  run: ApiRun<A>,
  task: WaitedTask<A>,
  ms?: number,
): Promise<Watched<A> | undefined> {
  const summary = `watch task ${task.taskId}`;
  const options = { summary, ...(ms !== undefined && { scheduleToCloseTimeout: Math.max(ms, 1) }) };
  const asked = Date.now();
  try {
    const view = await orUndefinedIfGone(taskCallsOf(run).watch(options, task));
    noteRead(run, view?.seen, asked);
    const outcome = toOutcome(task.taskId, view);
    return outcome === undefined ? { trouble: GAVE_UP } : { outcome };
  } catch (error) {
    if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
    // Whatever ended the watcher, the run finds the end by itself.
    return timeoutOf(error) === 'SCHEDULE_TO_CLOSE'
      ? undefined
      : { trouble: troubleOf(error, run) };
  }
}

const GAVE_UP = 'the watcher gave up';

function timeoutOf(error: TemporalFailure): TimeoutFailure['timeoutType'] | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof TimeoutFailure ? cause.timeoutType : undefined;
}

function troubleOf(error: TemporalFailure, { product }: Pick<Run, 'product'>): string {
  if (timeoutOf(error) === 'SCHEDULE_TO_START')
    return `no worker has a watcher (${product.settings.watcher}), or all of them are busy`;
  return failureOf(error)?.message ?? error.cause?.message ?? error.message;
}
