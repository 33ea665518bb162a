import { FailureType } from '../core/failures.js';
import type { Resource } from '../core/status.js';
import type { StartedRemoval } from '../core/tasks.js';
import { firstOf } from '../core/text.js';
import { failure } from '../run/failures.js';
import { parkWhileBlocked, type Unblock } from '../run/park-while-blocked.js';
import type { Run, TaskOutcome } from '../run/run-types.js';
import { attemptOnce, type Sending } from './attempt-once.js';
import { createPause, type Pause } from '../wait/create-pause.js';

/** What one attempt of a delete has come to. */
export interface TriedRemoval extends StartedRemoval {
  /** Why the API has not answered it: it may not even have been sent. A look shows what came of it. */
  unanswered?: string;
  /** It was certainly not sent. */
  isUnsent?: true;
}

/**
 * Sends a delete once, after a look that has shown whose the resource is: somebody may move it to another machine, or
 * pause the run, before a repeat. So the caller looks again before each, also where it parks on what is thrown here.
 */
export async function attemptDelete(
  run: Run,
  { unblock, ...sending }: Sending<StartedRemoval> & { unblock: Unblock },
): Promise<TriedRemoval> {
  const attempt = await attemptOnce(run, sending);
  if (attempt.kind === 'rejected') throw attempt.error;
  if (attempt.kind === 'unknown' && attempt.defect !== undefined) throw attempt.defect;
  if (attempt.kind !== 'not-sent') unblock();
  if (attempt.kind === 'answered') return attempt.answer;
  const isUnsent = attempt.kind === 'not-sent';
  return { taskIds: [], unanswered: attempt.reason, ...(isUnsent && { isUnsent }) };
}

/** A resource that a pass of a removal has still seen. */
export interface LeftResource {
  resource: Resource;
  /** Why it still exists; missing when its deletion has ended well and only a look is missing. */
  cause?: string;
  /** Its delete has no answer yet: that says nothing about what holds it. */
  isUnanswered?: boolean;
}

/** Passes that remove nothing before a person is asked: with the growing pauses about 100 s. */
const MAX_FRUITLESS = 10;

/**
 * Repeats passes until one finds everything gone: only a look proves that. When the passes get nowhere,
 * the run blocks as `RemovalBlocked` with the causes, and tries again from time to time. A run that is to
 * end fails with it instead.
 *
 * @param pass deletes what it finds and returns everything that it has found; a problem that needs a person blocks here too
 */
export async function untilGone(
  run: Run,
  name: string,
  pass: (unblock: Unblock) => Promise<LeftResource[]>,
): Promise<void> {
  let before: readonly LeftResource[] = [];
  let fruitless = 0;
  let pause: Pause | undefined;
  await parkWhileBlocked(run, async (_, unblock) => {
    for (;;) {
      const left = await pass(unblock);
      if (left.length === 0) return;
      const isOpen = left.some(({ isUnanswered }) => isUnanswered === true);
      if (!isOpen) fruitless = hasProgress(before, left) ? 0 : fruitless + 1;
      const isFreed = isNewlyFree(before, left);
      before = left;
      if (fruitless >= MAX_FRUITLESS && !isFreed) throw blockedFailure(left);
      // The wait counts from the end of the first pass, because an outage may have made that pass long.
      pause ??= createPause(run, { name, type: 'list of the API' });
      await pause(left.find(({ cause }) => cause !== undefined)?.cause);
      run.ledger.setWaiting(undefined);
    }
  });
}

/** Something has gone since the pass before. */
function hasProgress(before: readonly LeftResource[], left: readonly LeftResource[]): boolean {
  return before.some((old) => !left.some(({ resource }) => resource.id === old.resource.id));
}

/** What held one of them holds it no more: its deletion has ended well, and the next pass shows whether it is gone. */
function isNewlyFree(before: readonly LeftResource[], left: readonly LeftResource[]): boolean {
  const held = before.flatMap(({ resource, cause }) => (cause === undefined ? [] : [resource.id]));
  return left.some(({ resource, cause }) => cause === undefined && held.includes(resource.id));
}

const MAX_NAMED = 5;

function blockedFailure(left: readonly LeftResource[]): Error {
  const texts = left.map(
    ({ resource: { kind, id }, cause = 'it still exists after its deletion has ended' }) =>
      `${kind} ${id} (${cause})`,
  );
  return failure(FailureType.removalBlocked, `Not removed yet: ${firstOf(texts, MAX_NAMED)}.`, {
    advice: 'Look at what holds them, free them or delete them yourself.',
  });
}

/** Whether the answer to a delete proves that the resource is gone. */
export function isGone({ isGone: gone }: StartedRemoval): boolean {
  return gone === true;
}

/**
 * Whether the API says that it has carried out a delete: by its tasks, or by its answer where it has none. With a look, that
 * proves that the resource is gone.
 *
 * @param tasks left out where the API has none
 */
export function isCarriedOut(
  { isBusy, isGone: gone, unanswered }: TriedRemoval,
  tasks?: readonly TaskOutcome[],
): boolean {
  if (isBusy === true || gone === true || unanswered !== undefined) return false;
  return (
    tasks === undefined || (tasks.length > 0 && tasks.every(({ state }) => state === 'FINISHED'))
  );
}

/** The resource is left, with the reason. `tasks`: left out where the API has none. */
export function leftBehind(
  resource: Resource,
  removal: TriedRemoval,
  tasks?: readonly TaskOutcome[],
): LeftResource {
  const cause = causeOf(removal, tasks);
  return {
    resource,
    ...(cause !== undefined && { cause }),
    isUnanswered: removal.unanswered !== undefined,
  };
}

/** Why a resource still exists after a delete and the end of its tasks. */
function causeOf(
  { taskIds, isBusy, isGone: isUnknown, unanswered }: TriedRemoval,
  tasks: readonly TaskOutcome[] | undefined,
): string | undefined {
  const failed = tasks?.find(({ id, state }) => taskIds.includes(id) && state === 'ERROR');
  if (unanswered !== undefined) return unanswered;
  if (isUnknown === true) return 'the API answers its deletion with 404: the run looks again';
  if (isBusy === true) return 'the API refuses to delete it now (409)';
  if (failed !== undefined)
    return `its deletion ended in ERROR: ${failed.error ?? 'no reason given'}`;
  return tasks !== undefined && taskIds.length === 0
    ? 'the API accepted its deletion without naming a task'
    : undefined;
}
