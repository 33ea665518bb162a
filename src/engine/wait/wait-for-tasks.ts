import { CancellationScope } from '@temporalio/workflow';

import type { RemoteApi } from '../core/product.js';
import type { SeenAfter, TaskView } from '../core/tasks.js';
import { FailureType } from '../core/failures.js';
import { typicalDuration } from '../core/run-policy.js';
import { StepState } from '../core/status.js';
import { failureTypeOf, orUndefinedIfGone } from '../run/failures.js';
import { noteTaskWait } from '../run/note.js';
import type { StepRecorder } from '../run/ledger.js';
import type { ApiRun, Run, TaskOutcome, WaitedFor } from '../run/run-types.js';
import type { WaitedTask } from '../run/api.js';
import { createPace, createPause, type Pace } from './create-pause.js';
import { findUnlessGone } from './find-unless-gone.js';
import { refuseLate, givenUpFailure } from './look-until.js';
import {
  askForWatch,
  askUntilEnded,
  isLasting,
  nextAskAt,
  taskCallsOf,
  toOutcome,
  whileWatched,
  type Watch,
  type Watched,
} from './watch-task.js';

export interface TaskWait<A extends RemoteApi = RemoteApi> {
  step: StepRecorder;
  /** The task type that the call starts: it decides when the first look comes. Of a `lock` it is unknown. */
  expect: string;
  /** The tasks may have ended long ago: look immediately. */
  mayHaveEnded?: boolean;
  /** Never give up. A rollback must wait, because the API cannot cancel a task. */
  unlimited?: boolean;
  /** What the caller reads next: a watcher may have read it already (`seen`). For a single task only. */
  thenRead?: A['thenRead'] | undefined;
}

/** A read that a watcher makes as soon as a task has finished, and the state in what it has shown. */
export interface AfterTask<T, A extends RemoteApi = RemoteApi> {
  read: A['thenRead'];
  /** `undefined` when it does not show. */
  stateIn(seen: SeenAfter<A['seen']>): T | undefined;
}

/** The state as a watcher has read it. */
export function stateAfter<T, A extends RemoteApi>(
  after: AfterTask<T, A> | undefined,
  tasks: readonly TaskOutcome<A>[],
): T | undefined {
  const seen = tasks[0]?.seen;
  return seen && after?.stateIn(seen);
}

/**
 * Waits until every task has ended. This is the only way to wait for tasks: looks for certainty, a
 * watcher for speed. Durable timers between reads of a task survive any restart. While a watcher looks,
 * the run itself looks more rarely. Whichever sees the end first wins. Without a watcher the timers go on
 * alone, and the run asks for one again later.
 *
 * A task in ERROR is an outcome, not an exception: the operation decides what it means.
 * Fails as `DeadlineExceeded` when a look shows that a task has not ended in the time that the policy
 * gives for its type. Time in which the API does not answer proves nothing.
 */
export async function waitForTasks<A extends RemoteApi>(
  run: ApiRun<A>,
  taskIds: readonly string[],
  wait: TaskWait<A>,
): Promise<TaskOutcome<A>[]> {
  if (taskIds.length > 0) wait.step.set(StepState.waiting, { taskIds: [...taskIds] });
  // While another task goes on, what was read after the end of one may be outdated.
  const { thenRead, ...plain } = wait;
  const each = thenRead !== undefined && taskIds.length === 1 ? wait : plain;
  const outcomes = await Promise.all(taskIds.map((taskId) => waitForTask(run, taskId, each)));
  run.ledger.setWaiting(undefined);
  return outcomes;
}

/**
 * For who names what tasks have made: one that has ended has made everything, and until then a list without it says nothing. One that
 * takes far too long is not waited for.
 */
export async function untilTasksEnd<A extends RemoteApi>(
  run: ApiRun<A>,
  taskIds: readonly string[],
  wait: TaskWait<A>,
): Promise<void> {
  try {
    await waitForTasks(run, taskIds, wait);
  } catch (error) {
    if (failureTypeOf(error) !== FailureType.deadlineExceeded) throw error;
  }
}

/** Remembers in the run when the wait began and how it ended: a rollback waits for the task again. */
async function waitForTask<A extends RemoteApi>(
  run: ApiRun<A>,
  taskId: string,
  wait: TaskWait<A>,
): Promise<TaskOutcome<A>> {
  const known: WaitedFor<A> = run.tasks.get(taskId) ?? { since: Date.now() };
  run.tasks.set(taskId, known);
  let ended = known.outcome;
  if (ended === undefined && wait.mayHaveEnded === true) {
    ended = await unlessInDoubt(run, toOutcome(taskId, await readTask(run, taskId)));
  }
  ended ??= await lookUntilEnded(run, { taskId, since: known.since }, wait);
  known.outcome = { ...ended, seen: undefined };
  known.endSeenAt ??= Date.now();
  return ended;
}

async function lookUntilEnded<A extends RemoteApi>(
  run: ApiRun<A>,
  { taskId, since }: Pick<WaitedTask, 'taskId' | 'since'>,
  wait: TaskWait<A>,
): Promise<TaskOutcome<A>> {
  const { poll, watcher } = run.prepared.policy;
  const { giveUpMs, usualMs } = typicalDuration(wait.expect, poll);
  const task = toWaited({ taskId, since, giveUpMs }, wait);
  const measured = { type: wait.expect, since, usualMs };
  const look = () => (watcher === true ? lookWithWatcher(run, task) : lookByTimers(run, task));
  try {
    for (;;) {
      const ended = await unlessInDoubt(run, await look());
      if (ended === undefined) continue;
      noteTaskWait(measured, ended.state, run);
      return ended;
    }
  } catch (error) {
    const isGivenUp = failureTypeOf(error) === FailureType.deadlineExceeded;
    if (isGivenUp) noteTaskWait(measured, 'given_up', run);
    throw error;
  }
}

/** One 404 does not say that the API has forgotten the task. `undefined`: it goes on. */
async function unlessInDoubt<A extends RemoteApi>(
  run: ApiRun<A>,
  seen: TaskOutcome<A> | undefined,
): Promise<TaskOutcome<A> | undefined> {
  if (seen?.state !== 'GONE') return seen;
  const { id: taskId } = seen;
  const sought = { name: nameOf({ taskId }), look: () => readTask(run, taskId) };
  const found = await findUnlessGone(run, sought);
  return found.kind === 'gone' ? seen : toOutcome(taskId, found.seen);
}

function toWaited<A extends RemoteApi>(
  { taskId, since, giveUpMs }: { taskId: string; since: number; giveUpMs?: number | undefined },
  { expect, unlimited, thenRead }: TaskWait<A>,
): WaitedTask<A> {
  const isLimited = unlimited !== true && giveUpMs !== undefined;
  return {
    taskId,
    type: expect,
    since,
    ...(isLimited && { giveUpAt: since + giveUpMs }),
    ...(thenRead && { thenRead }),
  };
}

/** Relies on a watcher at first. After it has failed, looks by timers while it asks for another one. */
async function lookWithWatcher<A extends RemoteApi>(
  run: ApiRun<A>,
  task: WaitedTask<A>,
): Promise<TaskOutcome<A>> {
  const askedAt = Date.now();
  const found = await relyOnWatcher(run, task);
  if ('outcome' in found) return found.outcome;
  const watch: Watch = { failed: { askedAt, trouble: found.trouble } };
  return CancellationScope.cancellable(async () => {
    const race = CancellationScope.current();
    try {
      return await Promise.race([askUntilEnded(run, task, watch), lookByTimers(run, task, watch)]);
    } finally {
      // The first that sees the end stops the other.
      race.cancel();
    }
  });
}

/** A healthy watcher sees the end long before. From then on the timers do not rely on it. */
const MAX_WATCHES = 60;

/**
 * Watches, and looks by itself whenever the watcher has seen nothing for a long time: it may hang. A limit
 * of the activity costs no event while all goes well, as a timer would.
 */
async function relyOnWatcher<A extends RemoteApi>(
  run: ApiRun<A>,
  task: WaitedTask<A>,
): Promise<Watched<A>> {
  const nextLookIn = createPace(run, { ...paceOf(task), ...rarePace(run) });
  let state: string | undefined;
  for (let watches = 0; watches < MAX_WATCHES; watches++) {
    const watched = await askForWatch(run, task, nextLookIn(state));
    if (watched !== undefined) return watched;
    const seen = await readTask(run, task.taskId);
    const outcome = outcomeInTime(task, seen);
    if (outcome !== undefined) return { outcome };
    state = seen?.state;
  }
  return { trouble: 'the watcher has seen nothing for a long time' };
}

/** Enough for two and a half minutes. From then on a look comes every eight seconds or more. */
const MAX_LOOKS_BY_TIMER = 40;

/** Looks rarely while a watch lasts, and as often as the policy says otherwise. */
async function lookByTimers<A extends RemoteApi>(
  run: ApiRun<A>,
  task: WaitedTask<A>,
  watch?: Watch,
): Promise<TaskOutcome<A>> {
  const { looksByTimer = MAX_LOOKS_BY_TIMER } = run.prepared.policy.poll;
  const looks = { usual: 0, rare: 0 };
  const last: LastLook = { state: undefined };
  for (;;) {
    const isRare = watch !== undefined && isLasting(run, watch);
    const pace = isRare ? rarePace(run) : { unwatched: watch?.failed.trouble };
    const isByTimer = looks[isRare ? 'rare' : 'usual']++ < looksByTimer;
    // Timers that are not rare look whether they may be when a watcher is due.
    const until = isRare || watch === undefined ? undefined : nextAskAt(run, task, Date.now());
    const look = () => (isByTimer ? lookOnce(run, task, { pace, last }) : poll(run, task, until));
    const outcome = await (isRare ? whileWatched(watch, look) : look());
    if (outcome !== undefined) return outcome;
  }
}

/** What the look before has seen. */
interface LastLook {
  state: string | undefined;
}

/** Waits until the next look is due, and reads the task; `undefined` while it goes on. */
async function lookOnce<A extends RemoteApi>(
  run: ApiRun<A>,
  task: WaitedTask<A>,
  { pace, last }: { pace: Partial<Pace>; last: LastLook },
): Promise<TaskOutcome<A> | undefined> {
  await createPause(run, { ...paceOf(task), ...pace })(last.state);
  const seen = await readTask(run, task.taskId);
  last.state = seen?.state;
  return outcomeInTime(task, seen);
}

/** Lets Temporal repeat a read, so that the history does not grow; `undefined` when `until` comes first. */
async function poll<A extends RemoteApi>(
  run: ApiRun<A>,
  task: WaitedTask<A>,
  until = Infinity,
): Promise<TaskOutcome<A> | undefined> {
  const { taskId, giveUpAt = Infinity } = task;
  const options = { summary: `task ${taskId}, repeated by Temporal until it has ended` };
  const polled = until < giveUpAt ? { ...task, giveUpAt: until } : task;
  const last = await orUndefinedIfGone(taskCallsOf(run).poll(options, polled));
  const outcome = toOutcome(taskId, last);
  if (outcome === undefined && polled === task) throw givenUpFailure(nameOf(task), task.giveUpAt);
  return outcome;
}

/** `undefined` when the API no longer knows the task. */
export function readTask<A extends RemoteApi>(
  run: ApiRun<A>,
  taskId: string,
): Promise<TaskView<A['created']> | undefined> {
  return orUndefinedIfGone(taskCallsOf(run).read({ summary: `task ${taskId}` }, { taskId }));
}

/** `undefined` while the task goes on. Gives the wait up when it goes on for too long. */
function outcomeInTime<A extends RemoteApi>(
  task: WaitedTask<A>,
  seen: TaskView<A['created']> | undefined,
): TaskOutcome<A> | undefined {
  const outcome = toOutcome(task.taskId, seen);
  if (outcome === undefined) refuseLate(paceOf(task));
  return outcome;
}

function nameOf({ taskId }: { taskId: string }): string {
  return `task ${taskId}`;
}

function paceOf(task: WaitedTask): Pace {
  const { type, since, giveUpAt } = task;
  return { name: nameOf(task), type, since, giveUpAt };
}

/**
 * While a watcher looks, timers are only a safety net: after an hour, later every six hours. The look of one run costs
 * the server as much as its begin, and thousands may wait.
 */
function rarePace({ prepared }: Run): Partial<Pace> {
  const { maxMs } = prepared.policy.poll;
  const firstMs = maxMs * 60;
  const otherwise = { firstMs, usualMs: firstMs };
  const slow = { minMs: firstMs, maxMs: maxMs * 360, shareOfElapsed: 0.5, typical: {}, otherwise };
  return { poll: slow, watched: true };
}
