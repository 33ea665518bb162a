import { parkWhileBlocked, type Unblock } from '../../../engine/run/park-while-blocked.js';
import { FailureType } from '../../../engine/core/failures.js';
import { StepState, type Resource } from '../../../engine/core/status.js';
import { refuseChanged, type AssertInput } from '../../../engine/run/restart-on-corrected-input.js';
import type { StartedRemoval } from '../../../engine/core/tasks.js';
import type { Within } from '../../../engine/run/activity-calls.js';
import type { FoundOrGone } from '../../../engine/wait/find-unless-gone.js';
import type { Seen } from '../../../engine/run/read-times.js';
import { attemptDelete, isCarriedOut, type TriedRemoval } from '../../../engine/send/until-gone.js';
import { failure } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { TaskOutcome } from '../../gcore.js';
import { createPause, type Pause } from '../../../engine/wait/create-pause.js';
import { waitForTasks } from '../../../engine/wait/wait-for-tasks.js';
import type { DeleteRun } from './delete-run.js';
import type { Deletion, SeenResource } from './deletions.js';
import { findPart } from './find-part.js';
import type { LeftResources } from './left-resources.js';
import type { LookAtAll } from './look-at-all.js';
import { waitForLock } from '../../shared/wait-for-lock.js';

/** Shared by all deletions of a run. */
export interface Deleting {
  left: LeftResources;
  /** Ids of the tasks that the deletions have started. */
  taskIds: string[];
  /** Ids of what the API says that it has deleted, or of what was gone for sure: one look without them is enough. */
  proven: Set<string>;
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
  one: OneOfAll,
): Promise<void> {
  const { deletion, left, proven } = one;
  const { resource } = deletion;
  const sofar: SoFar = { failures: 0, isSent: false };
  await parkWhileBlocked(run, async (_, unblock) => {
    while (!(await isGoneNow(run, step, { ...one, sofar, unblock })));
  });
  run.ledger.setWaiting(undefined);
  proven.add(resource.id);
  left.remove(resource);
}

/** What has come of the deletion of one resource so far. */
interface SoFar {
  failures: number;
  isSent: boolean;
  pause?: Pause;
}

type OneNow = OneOfAll & { sofar: SoFar; unblock: Unblock };

/** Looks, and deletes what still shows. */
async function isGoneNow(run: DeleteRun, step: StepRecorder, one: OneNow): Promise<boolean> {
  const { deletion, left, assertInput, look, sofar } = one;
  const { resource } = deletion;
  const found = await findOne(run, one);
  if (found.kind === 'gone') return true;
  left.add(resource);
  if (await waitForLock(run, step, found.seen.state)) {
    look.forget();
    return false;
  }
  assertInput();
  // Once a call is on its way, the instance may be gone at the next look: then nothing shows what was chosen.
  refuseChanged(sofar.isSent || found.seen.state.isOther !== true);
  const { started, failed } = await deleteOnce(run, step, { ...one, seen: found.seen });
  sofar.isSent ||= started.isBusy !== true && started.isUnsent !== true;
  if (failed !== undefined) {
    sofar.failures += 1;
    step.set(step.state, { note: noteOf(resource, failed) });
    if (sofar.failures >= MAX_FAILURES) throw removalFailure(step, { resource, failed });
  }
  const after = await deletion.judge((await look.at(allOf(one))).state);
  if (after === undefined) return false;
  step.set(StepState.waiting);
  const name = `${resource.kind} ${resource.id} to be gone`;
  sofar.pause ??= createPause(run, { name, type: 'list of the API' });
  await sofar.pause(stateAfter(started, after));
  look.forget();
  return false;
}

/** The one, and what its caller needs next. */
function allOf({ deletion, next }: Pick<OneOfAll, 'deletion' | 'next'>): Deletion[] {
  return [deletion, ...next.filter(({ resource }) => resource.id !== deletion.resource.id)];
}

/** Sends the delete, and waits for its tasks. */
async function deleteOnce(
  run: DeleteRun,
  step: StepRecorder,
  { seen: { state: seen, at }, unblock, ...one }: OneNow & { seen: Seen<SeenResource> },
): Promise<{ started: TriedRemoval; failed: TaskOutcome | undefined }> {
  const { deletion, taskIds, proven, look } = one;
  const send = (within: Within): Promise<StartedRemoval> => {
    step.set(StepState.sending);
    return seen.send(within);
  };
  const started = await attemptDelete(run, { unblock, seenAt: at, send }).finally(() => {
    look.forget();
  });
  taskIds.push(...started.taskIds);
  const all = allOf(one);
  const { expect, resource } = deletion;
  const tasks = await waitForTasks(run, started.taskIds, {
    step,
    expect,
    thenRead: look.after(all),
  });
  look.note(all, tasks[0]?.seen?.parts);
  if (isCarriedOut(started, tasks)) {
    for (const id of [resource.id, ...(started.takes ?? seen.takes ?? [])]) proven.add(id);
  }
  return { started, failed: tasks.find(({ state }) => state === 'ERROR') };
}

function stateAfter(
  { unanswered, isBusy }: TriedRemoval,
  { state }: SeenResource,
): string | undefined {
  return unanswered ?? (isBusy === true ? 'busy' : state);
}

/** As the last look has shown it, or a new one. */
function findOne(
  run: DeleteRun,
  { deletion, proven, look }: OneOfAll,
): Promise<FoundOrGone<Seen<SeenResource>>> {
  const { resource } = deletion;
  const isDeleted = proven.has(resource.id);
  return findPart(run, resource, {
    isDeleted,
    async look() {
      const { state: parts, at } = await look.at([deletion, ...(deletion.with ?? [])]);
      const state = await deletion.judge(parts);
      if (state === undefined && !isDeleted) look.forget();
      return state && { state, at };
    },
  });
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
