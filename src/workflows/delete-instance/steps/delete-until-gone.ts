import { FailureType } from '../../../engine/core/failures.js';
import { StepState, type Resource } from '../../../engine/core/status.js';
import type { TaskType } from '../../../contract/wire/tasks.js';
import type { AssertInput } from '../../../engine/run/restart-on-corrected-input.js';
import type { StartedRemoval } from '../../../engine/core/tasks.js';
import type { Within } from '../../../engine/run/activity-calls.js';
import { attemptDelete } from '../../../engine/send/until-gone.js';
import { failure } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { TaskOutcome } from '../../gcore.js';
import { createPause, type Pause } from '../../../engine/wait/create-pause.js';
import { waitForTasks } from '../../../engine/wait/wait-for-tasks.js';
import type { DeleteRun } from './delete-run.js';
import type { Deletion, SeenResource } from './deletions.js';
import type { LeftResources } from './left-resources.js';
import type { LookAtAll } from './look-at-all.js';

/** Shared by all deletions of a run. */
export interface Deleting {
  left: LeftResources;
  /** Ids of the tasks that the deletions have started. */
  taskIds: string[];
  assertInput: AssertInput;
  look: LookAtAll;
}

interface OneOfAll extends Deleting {
  deletion: Deletion;
  /** What is looked at too, once it is gone: the caller needs it next. */
  next: readonly Deletion[];
}

/** Maximum deletions of one resource that end in ERROR. */
const MAX_FAILURES = 4;

/**
 * Deletes one resource until a look shows that it is gone: a task that has ended proves nothing. A delete
 * by id may be repeated safely, so this deletes an existing resource again after growing pauses. Fails as
 * `TaskFailed` when the deletion has ended in ERROR too often.
 */
export async function deleteUntilGone(
  run: DeleteRun,
  step: StepRecorder,
  { deletion, next, left, taskIds, assertInput, look }: OneOfAll,
): Promise<void> {
  const { resource, expect } = deletion;
  const all = [deletion, ...next.filter((other) => other.resource.id !== resource.id)];
  let pause: Pause | undefined;
  let failures = 0;
  for (;;) {
    const { state: parts, at } = await look.at([deletion]);
    const seen = await deletion.judge(parts);
    if (seen === undefined) break;
    left.add(resource);
    if (await waitForLock(run, step, seen)) {
      look.forget();
      continue;
    }
    assertInput();
    const send = (within: Within): Promise<StartedRemoval> => {
      step.set(StepState.sending);
      return seen.send(within);
    };
    const started = await attemptDelete(run, { seenAt: at, send });
    look.forget();
    taskIds.push(...started.taskIds);
    const wait = { taskIds: started.taskIds, expect, look, all };
    const failed = await errorOf(run, step, wait);
    if (failed !== undefined) {
      failures += 1;
      step.set(step.state, { note: noteOf(resource, failed) });
      if (failures >= MAX_FAILURES) throw removalFailure(step, { resource, failed });
    }
    const after = await deletion.judge((await look.at(all)).state);
    if (after === undefined) break;
    step.set(StepState.waiting);
    const name = `${resource.kind} ${resource.id} to be gone`;
    pause ??= createPause(run, { name, type: 'list of the API' });
    await pause(started.unanswered ?? (started.isBusy === true ? 'busy' : after.state));
    look.forget();
  }
  run.ledger.setWaiting(undefined);
  left.remove(resource);
}

/** Waits for the lock task. Returns whether it has waited, because the look is stale then. */
async function waitForLock(
  run: DeleteRun,
  step: StepRecorder,
  { lockTaskId }: SeenResource,
): Promise<boolean> {
  // Does not wait for a lock that outlives its task: the next call shows whether it still holds.
  if (lockTaskId === undefined || run.tasks.get(lockTaskId)?.outcome !== undefined) return false;
  await waitForTasks(run, [lockTaskId], { step, expect: 'lock' });
  return true;
}

interface EndOfTasks extends Pick<Deleting, 'taskIds' | 'look'> {
  expect: TaskType;
  /** What a watcher reads then. */
  all: readonly Deletion[];
}

async function errorOf(
  run: DeleteRun,
  step: StepRecorder,
  { taskIds, expect, look, all }: EndOfTasks,
): Promise<TaskOutcome | undefined> {
  const outcomes = await waitForTasks(run, taskIds, { step, expect, thenRead: look.after(all) });
  look.note(all, outcomes[0]?.seen?.parts);
  return outcomes.find(({ state }) => state === 'ERROR');
}

function noteOf({ kind, id }: Resource, { error }: TaskOutcome): string {
  return `the deletion of ${kind} ${id} ended in ERROR: ${error ?? 'no reason given'}`;
}

function removalFailure(
  step: StepRecorder,
  { resource, failed }: { resource: Resource; failed: TaskOutcome },
): Error {
  const note = noteOf(resource, failed);
  step.set(StepState.failed, { note });
  return failure(FailureType.taskFailed, `Task ${failed.id}: ${note} (${MAX_FAILURES} times).`, {
    taskId: failed.id,
    advice:
      'Ask the support of the API with the task id. Then start again, and name what still exists by its id.',
  });
}
