import { CancellationScope, isCancellation, TemporalFailure } from '@temporalio/workflow';

import type { WatchedTask as WaitedTask } from '../../../activities/task-watcher.js';
import type { TaskView } from '../../../activities/tasks.js';
import { typicalDuration } from '../../../contract/poll-delay.js';
import type { PollPolicy } from '../../../contract/run-policy.js';
import { StepState } from '../../../contract/status.js';
import { isTerminal } from '../../../contract/task-state.js';
import { orUndefinedIfGone } from '../run/failures.js';
import type { StepRecorder } from '../run/ledger.js';
import type { Run, TaskOutcome } from '../run/run-types.js';
import { createPause, type Pace } from './create-pause.js';
import { refuseLate, givenUpFailure } from './refuse-late.js';

export interface TaskWait {
  step: StepRecorder;
  /** The task type that the call starts: it decides when the first look comes. */
  expect: string;
  /** The tasks may have ended long ago: look immediately. */
  mayHaveEnded?: boolean;
  /** Never give up. A rollback must wait, because the API cannot cancel a task. */
  unlimited?: boolean;
}

/**
 * Waits until every task has ended. This is the only way to wait for tasks: timers for certainty, a
 * watcher for speed. Durable timers between reads of `GET /cloud/v1/tasks/{task_id}` survive any
 * restart. While a watcher looks, the timers are rarer. Whichever sees the end first wins. A task in
 * ERROR is an outcome, not an exception: the operation decides what it means.
 * Fails as `DeadlineExceeded` when a look shows that a task has not ended in the time that the policy
 * gives for its type. Time in which the API does not answer proves nothing.
 */
export async function waitForTasks(
  run: Run,
  taskIds: readonly string[],
  wait: TaskWait,
): Promise<TaskOutcome[]> {
  if (taskIds.length > 0) wait.step.set(StepState.waiting, { taskIds: [...taskIds] });
  const outcomes = await Promise.all(taskIds.map((taskId) => waitForTask(run, taskId, wait)));
  run.ledger.setWaiting(undefined);
  return outcomes;
}

/** Remembers in the run when the wait began and how it ended: a rollback waits for the task again. */
async function waitForTask(run: Run, taskId: string, wait: TaskWait): Promise<TaskOutcome> {
  const known = run.tasks.get(taskId) ?? { since: Date.now() };
  run.tasks.set(taskId, known);
  const { giveUpMs = Infinity } = typicalDuration(wait.expect, run.prepared.policy.poll);
  const waited: WaitedTask = {
    taskId,
    type: wait.expect,
    since: known.since,
    ...(wait.unlimited === true || giveUpMs === Infinity
      ? {}
      : { giveUpAt: known.since + giveUpMs }),
  };
  if (known.outcome === undefined && wait.mayHaveEnded === true) {
    known.outcome = toOutcome(waited, await readTask(run, taskId));
  }
  if (known.outcome === undefined && run.prepared.policy.watcher === true) {
    known.outcome = await watchAndLook(run, waited);
  }
  known.outcome ??= await lookByTimers(run, waited);
  return known.outcome;
}

/** `undefined` when the API no longer knows the task. */
function readTask(run: Run, taskId: string): Promise<TaskView | undefined> {
  const options = { summary: `task ${taskId}` };
  return orUndefinedIfGone(run.api.reads.getTask.executeWithOptions(options, [{ taskId }]));
}

/** Enough for two and a half minutes. From then on a look comes every eight seconds or more. */
const MAX_LOOKS_BY_TIMER = 40;

async function lookByTimers(
  run: Run,
  task: WaitedTask,
  pace?: Partial<Pace>,
): Promise<TaskOutcome> {
  const { taskId, type, since, giveUpAt } = task;
  const name = `task ${taskId}`;
  const pause = createPause(run, { name, type, since, giveUpAt, ...pace });
  const { looksByTimer = MAX_LOOKS_BY_TIMER } = run.prepared.policy.poll;
  let state: string | undefined;
  for (let looks = 0; looks < looksByTimer; looks++) {
    await pause(state);
    const seen = await readTask(run, taskId);
    const outcome = toOutcome(task, seen);
    if (outcome !== undefined) return outcome;
    refuseLate({ name, giveUpAt });
    state = seen?.state;
  }
  const options = { summary: `task ${taskId}, repeated by Temporal until it has ended` };
  const last = await orUndefinedIfGone(run.api.polls.pollTask.executeWithOptions(options, [task]));
  const outcome = toOutcome(task, last);
  if (outcome === undefined) throw givenUpFailure(name, giveUpAt);
  return outcome;
}

/** Runs the watcher and slow timers side by side; `undefined` when the watcher failed. */
function watchAndLook(run: Run, task: WaitedTask): Promise<TaskOutcome | undefined> {
  return CancellationScope.cancellable(async () => {
    const race = CancellationScope.current();
    try {
      return await Promise.race([
        watch(run, task),
        lookByTimers(run, task, { poll: slowDown(run.prepared.policy.poll), watched: true }),
      ]);
    } finally {
      // Stops the other one: the end has been seen.
      race.cancel();
    }
  });
}

async function watch(run: Run, task: WaitedTask): Promise<TaskOutcome | undefined> {
  const options = { summary: `watch task ${task.taskId}` };
  try {
    return toOutcome(
      task,
      await orUndefinedIfGone(run.api.watch.watchTask.executeWithOptions(options, [task])),
    );
  } catch (error) {
    if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
    // Whatever ended the watcher, the timers find the end by themselves.
    return undefined;
  }
}

/** While a watcher looks, timers are only a safety net: every ten minutes, later every hour. */
function slowDown({ maxMs }: PollPolicy): PollPolicy {
  const firstMs = maxMs * 10;
  const otherwise = { firstMs, usualMs: firstMs };
  return { minMs: firstMs, maxMs: maxMs * 60, shareOfElapsed: 0.5, typical: {}, otherwise };
}

/** `undefined` while the task has not ended. */
function toOutcome({ taskId }: WaitedTask, seen: TaskView | undefined): TaskOutcome | undefined {
  if (seen === undefined) return goneOutcome(taskId);
  const { id, state, error, errorType, created } = seen;
  return isTerminal(state) ? { id, state, error, errorType, created } : undefined;
}

function goneOutcome(id: string): TaskOutcome {
  const created = { instances: [], volumes: [], floatingIps: [] };
  return { id, state: 'GONE', error: undefined, created };
}
