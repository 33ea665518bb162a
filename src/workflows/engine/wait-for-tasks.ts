import { sleep } from '@temporalio/workflow';

import type { TaskView } from '../../activities/tasks.js';
import { StepState } from '../../contract/status.js';
import { orUndefinedIfGone } from './failures.js';
import type { StepRecorder } from './ledger.js';
import { pollDelay, typicalDuration } from './poll-delay.js';
import type { Run } from './run.js';

/** How a task ended. `GONE`: the API no longer knows it, so only its resource can tell. */
export interface TaskOutcome {
  id: string;
  state: 'FINISHED' | 'ERROR' | 'GONE';
  error: string | undefined;
  created: TaskView['created'];
}

export interface TaskWait {
  step: StepRecorder;
  /** The task type that the call starts: it decides when to look first. */
  expect: string;
  /** The tasks may have ended long ago: the first look comes at once. */
  mayHaveEnded?: boolean;
}

/**
 * Waits until every task has ended; the one way to wait for tasks. Durable timers between reads
 * of `GET /cloud/v1/tasks/{task_id}`: a restart of worker or server continues where it was.
 * A task in ERROR is an outcome, not an exception: what it means is the operation's decision.
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

/** Remembers in the run since when a task is waited for and how it ended: a rollback waits for it again. */
async function waitForTask(
  run: Run,
  taskId: string,
  { expect, mayHaveEnded }: TaskWait,
): Promise<TaskOutcome> {
  const known = run.tasks.get(taskId) ?? { since: Date.now() };
  run.tasks.set(taskId, known);
  const pause = createPause(run, { name: `task ${taskId}`, type: expect, since: known.since });
  let state: string | undefined;
  let lookNow = mayHaveEnded === true;
  while (known.outcome === undefined) {
    if (!lookNow) await pause(state);
    lookNow = false;
    const task = await orUndefinedIfGone(
      run.api.repeatable.getTask.executeWithOptions({ summary: `task ${taskId}` }, [{ taskId }]),
    );
    if (task === undefined) known.outcome = gone(taskId);
    else if (isTerminal(task.state)) known.outcome = ended(task, task.state);
    else state = task.state;
  }
  return known.outcome;
}

function ended({ id, error, created }: TaskView, state: TaskOutcome['state']): TaskOutcome {
  return { id, state, error, created };
}

function isTerminal(state: string): state is 'FINISHED' | 'ERROR' {
  return state === 'FINISHED' || state === 'ERROR';
}

function gone(id: string): TaskOutcome {
  const created = { instances: [], volumes: [], floatingIps: [] };
  return { id, state: 'GONE', error: undefined, created };
}

interface Pace {
  name: string;
  /** A task type, or another entry of the policy's table. */
  type: string;
  /** When the wait began, if not now. */
  since?: number;
  /** The last look is not later than this. */
  until?: number;
}

/**
 * A paced, explained pause between looks at something: each call sleeps until the next look is
 * due and says meanwhile what is waited for, since when, what is usual and when it looks again.
 */
export function createPause(run: Run, pace: Pace): (state?: string) => Promise<void> {
  const { name, type, since = Date.now(), until = Infinity } = pace;
  const { poll } = run.plan.policy;
  const typicalSeconds = Math.ceil(typicalDuration(type, poll).usualMs / 1000);
  return async (state) => {
    const now = Date.now();
    const paced = pollDelay({ type, elapsedMs: now - since, random: Math.random() }, poll);
    const delay = Math.max(Math.min(paced, until - now), 1);
    run.ledger.setWaiting({
      for: name,
      ...(state === undefined ? {} : { state }),
      since: new Date(since).toISOString(),
      typicalSeconds,
      nextCheckAt: new Date(now + delay).toISOString(),
    });
    await sleep(delay, { summary: `${name}${state === undefined ? '' : ` ${state}`}: next look` });
  };
}
