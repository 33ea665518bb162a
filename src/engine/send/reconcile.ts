import { MAX_CALL_MS } from '../core/run-policy.js';
import { noteReconciled } from '../run/note.js';
import type { Run, MarkedRun } from '../run/run-types.js';
import type { NotSent, UnknownOutcome } from './attempt-once.js';
import type { EarlierCall, Searched, SendWindow, Trace } from './mutation.js';
import type { Settled, Verdict } from './verdict.js';
import { TaskState } from '../core/tasks.js';
import { findUnlessGone } from '../wait/find-unless-gone.js';
import { lookUntilGraceEnds } from '../wait/look-until.js';
import { readTask } from '../wait/wait-for-tasks.js';
import { cutShortAtOf } from '../wait/wait-until.js';

/**
 * Keeps a call that the API has accepted from being sent again while nothing of it shows: it may still
 * take effect. Looking again proves no more, so only a person who resumes the blocked run decides it.
 * And blocks the run once before it repeats a call that has met a defect of the worker: it would meet it again.
 */
export function createResendGuard(
  { controls }: Pick<Run, 'controls'>,
  attempt: NotSent | UnknownOutcome,
): <T>(verdict: Settled<T>) => Settled<T> {
  const isAccepted = attempt.kind === 'unknown' && attempt.isAccepted === true;
  let defect = attempt.kind === 'unknown' ? attempt.defect : undefined;
  /** Counted when the run blocks: a `resume` before that was not meant for it. */
  let decidedBefore: number | undefined;
  return (verdict) => {
    if (verdict.kind !== 'absent') return verdict;
    if (defect !== undefined) {
      const met = defect;
      defect = undefined;
      throw met;
    }
    if (!isAccepted) return verdict;
    decidedBefore ??= controls.decisions();
    return controls.decisions() > decidedBefore ? verdict : UNSEEN;
  };
}

const UNSEEN = {
  kind: 'contradiction',
  note: 'The API accepted the call without naming a task, and nothing of it shows after the grace time.',
  advice:
    'Look at what exists. By itself the run only looks again, and so it does when many are resumed at once. Given to ' +
    'this run alone, `resume` sends the call again if nothing shows then, and `abort` ends the run.',
} as const;

/**
 * Looks for what an earlier run has made, before this one makes it: a list may lack a row once, so what one look does not find
 * is looked for again. A call of a run that was cut short may still be on its way, or not listed yet.
 */
export async function lookForEarlier<T>(
  run: MarkedRun,
  mutation: Omit<EarlierCall<T>, 'inventory'>,
): Promise<Verdict<T>> {
  const cutShortAt = cutShortAtOf(run);
  if (cutShortAt === undefined) {
    const first = await lookForSure(run, mutation);
    return first.kind === 'absent' ? lookForSure(run, mutation) : first;
  }
  const { maxCallMs = MAX_CALL_MS } = mutation;
  const sent = { from: cutShortAt - maxCallMs, to: cutShortAt + maxCallMs };
  const verdict = await reconcile(run, mutation, { ...sent, isEarlier: true });
  if (verdict.kind === 'task') throw new TypeError('an earlier run has no task of this run');
  return verdict;
}

/** What a look shows; a broken rest only when that is sure. */
export async function lookForSure<T>(
  run: Run,
  { look }: Pick<Searched<T>, 'look'>,
): Promise<Verdict<T>> {
  const first = await look();
  if (await isSure(run, first)) return first;
  const until = Date.now() + run.prepared.policy.reconcileGraceMs;
  const name = 'what is broken to show so again';
  return lookUntilGraceEnds(run, { name, until }, async (isLate) => {
    const seen = await look();
    return isLate || (await isSure(run, seen)) ? seen : undefined;
  });
}

/**
 * What shows of something that a look has shown already. One answer without it does not say that it is gone: a list may lack a
 * row once, and another one would be made.
 */
export async function lookForShown<T>(
  run: Run,
  mutation: Pick<Searched<T>, 'look'>,
): Promise<Verdict<T>> {
  const found = await findUnlessGone(run, {
    name: 'what the first look has shown',
    async look() {
      const seen = await lookForSure(run, mutation);
      return seen.kind === 'absent' ? undefined : seen;
    },
  });
  return found.kind === 'found' ? found.seen : { kind: 'absent' };
}

/**
 * A thing that one answer calls broken may be sound: the status of an answer may be wrong once, and what runs is not to be
 * removed for it. That the task which made it has ended in ERROR proves it, or a look further away than lists lag.
 */
async function isSure<T>(run: Run, seen: Trace<T> | Verdict<T>): Promise<boolean> {
  if (seen.kind !== 'leftover') return true;
  const { madeBy = [] } = seen;
  for (const id of madeBy) {
    const task = id === undefined ? undefined : await readTask(run, id);
    if (task?.state !== TaskState.error) return false;
  }
  return madeBy.length > 0;
}

/**
 * Looks until something shows or the grace time has passed. "Nothing" proves that nothing was made only in a look after the
 * grace time, and only when no call that may be ours has been running for as long: a list may lag behind the end of a task.
 */
export async function reconcile<T>(
  run: Run,
  mutation: Searched<T>,
  sent: SendWindow,
): Promise<Settled<T>> {
  const { isEarlier = false } = sent;
  const name = 'a trace of the call whose answer was lost';
  const { reconcileGraceMs } = run.prepared.policy;
  // A run that was blocked meanwhile does not look through the same time again.
  const until = sent.to + reconcileGraceMs;
  // Looks after a call of this run must not take the rest of an earlier run for its result.
  const isForeign = (seen: Trace<T>): boolean =>
    !isEarlier &&
    (isPresent(seen, (resource) => isOfOthers(mutation, resource)) ||
      (seen.kind === 'leftover' && seen.isForeign === true));
  const pending = createPending(reconcileGraceMs);
  const grace = { name, until, mayLast: pending.mayStillShow, state: pending.state };
  return lookUntilGraceEnds<Settled<T>>(run, grace, async (isOver) => {
    const isLate = pending.isLate(isOver);
    // A call that arrives late is listed with the time of its arrival.
    const verdict = await search(mutation, { ...sent, to: until, isForeign, isLate });
    pending.note(verdict.kind === 'pending');
    if (verdict.kind === 'pending') return undefined;
    if (verdict.kind === 'contradiction' && verdict.isPartial === true && !isLate) return undefined;
    if (!isLate && !(await isSure(run, verdict))) return undefined;
    // The lost call may still make its own, beside what an earlier run has made.
    if (verdict.kind !== 'none' && (isLate || !isForeign(verdict))) return noted(run, verdict);
    return isLate ? noted(run, { kind: 'absent' }) : undefined;
  });
}

function isOfOthers<T>({ isMine, isOther }: Searched<T>, resource: T): boolean {
  return isMine?.(resource) === false || isOther?.(resource) === true;
}

/** Until when may show what calls have made that may be ours: lists lag behind the end that a look has seen. */
function createPending(graceMs: number) {
  let showsUntil = -Infinity;
  let looks = 0;
  const mayStillShow = (): boolean => Date.now() < showsUntil;
  return {
    mayStillShow,
    note: (isPending: boolean): void => {
      if (isPending) showsUntil = Infinity;
      else if (showsUntil === Infinity) showsUntil = Date.now() + graceMs;
    },
    state: () => (mayStillShow() ? PENDING : undefined),
    /** An answer may be empty once, so a run that looks again much later does not believe the first one. */
    isLate(isOver: boolean): boolean {
      looks += 1;
      return isOver && looks > 1 && !mayStillShow();
    },
  };
}

const PENDING = 'a task that may be this call goes on, or has just ended';

function noted<T>(run: Run, settled: Settled<T>): Settled<T> {
  noteReconciled(settled.kind, run);
  return settled;
}

interface SearchedCall<T> extends SendWindow {
  isForeign: (seen: Trace<T>) => boolean;
  /** Nothing counts as proof that there is nothing. */
  isLate: boolean;
}

/** Looks by the marker first, then among the calls for what the lists do not show yet. */
async function search<T>(
  mutation: Searched<T>,
  { isForeign, isLate, ...sent }: SearchedCall<T>,
): Promise<Trace<T>> {
  const seen = traceOf(await mutation.look());
  const mayVanish = isPresent(seen, (resource) => mutation.mayVanish?.(resource));
  const isOther = isForeign(seen);
  if (seen.kind !== 'none' && !mayVanish && !isOther) return seen;
  // Once the grace time is over the first look may be the last one, and a list may lack a row once.
  if (mutation.trace === undefined) return isLate ? traceOf(await mutation.look()) : seen;
  const trace = await mutation.trace(sent);
  if (isOther && trace.kind === 'none') return seen;
  const mayJustHaveEnded = isLate && trace.kind === 'none';
  if (trace.kind === 'pending' || !(mayVanish || mayJustHaveEnded)) return trace;
  // The call has ended since that look, so a look now shows its result.
  return traceOf(await mutation.look());
}

function traceOf<T>(verdict: Verdict<T>): Trace<T> {
  return verdict.kind === 'absent' ? { kind: 'none' } : verdict;
}

function isPresent<T>(seen: Trace<T>, is: (resource: T) => boolean | undefined): boolean {
  return seen.kind === 'present' && is(seen.resource) === true;
}
