import type { FirstLook } from '../core/news.js';
import { StepState } from '../core/status.js';
import { noteNewRun } from '../run/earlier-history.js';
import type { StepRecorder } from '../run/ledger.js';
import { refuseOutdatedInput, RunWasReset } from '../run/restart-on-corrected-input.js';
import type { Run, MarkedRun } from '../run/run-types.js';
import type { RegisteredRollback } from '../run/rollback.js';
import {
  attemptMutation,
  namesTasks,
  noteOfRejection,
  type Earlier,
  type Mutation,
  type Recovered,
  type Sent,
  type SendWindow,
  withLookTime,
} from './mutation.js';
import { blockWhileBusy, type Unsettled } from './block-while-busy.js';
import type { NotSent, UnknownOutcome } from './attempt-once.js';
import {
  lookForEarlier,
  lookForShown,
  lookForSure,
  reconcile,
  createResendGuard,
} from './reconcile.js';
import { cutShortAtOf } from '../wait/wait-until.js';
import { blockOnContradiction, knownTasks, type Settled } from './verdict.js';

/**
 * Carries out a mutation once, although the API has no idempotency key and answers get lost.
 *
 * Looks by marker first, then sends with a single attempt; the activity of the first call may do both. When the outcome is
 * unknown, it looks through a grace time longer than the API's list lag, and sends again only what is proven absent.
 * Registers the undo before the first send, and only for what this run itself sent: what was there
 * before belongs to an earlier run and is never rolled back.
 * Throws `OutdatedInput` and `RunWasReset`.
 */
export async function sendOnce<T, Answer extends object>(
  run: MarkedRun,
  given: Mutation<T, Answer>,
): Promise<Sent<T, Answer>> {
  const { mutation, looked } = withLookTime(run, given);
  const { step } = mutation;
  const first = firstLookOf(run, mutation);
  if (first === undefined) {
    const adopted = await adoptEarlier(run, mutation);
    if (adopted !== undefined) return adopted;
    if (mutation.check !== undefined) await mutation.check();
  }

  const lastCall: LastCall = { lostIn: undefined, timesLost: 0, taskIds: [], mayExist: false };
  const rollback = registerUndo(run, mutation, lastCall);
  const noteGone = (): void => {
    rollback.dismiss();
  };
  const begin = async (): Promise<void> => {
    await run.controls.untilUnpaused();
    if (mutation.input !== run.input) rollback.dismiss();
    refuseOutdatedInput(run, mutation.input);
  };
  return blockWhileBusy<Sent<T, Answer>>(run, {
    begin,
    send: async (unblocking) => {
      await begin();
      const from = Date.now();
      const shown = { ...mutation, step: unblocking(step) };
      const hasLooked = looked.at !== -Infinity;
      const restsOn = hasLooked ? { seenAt: looked.at } : { seenAt: from, first };
      const attempt = await attemptMutation(run, shown, restsOn);
      if (attempt.kind === 'answered') {
        return { ...takeAnswer(shown, attempt.answer, lastCall), noteGone };
      }
      if (attempt.kind === 'not-sent' && attempt.resetTo !== undefined) {
        rollback.dismiss();
        noteNewRun(run, run.prepared.maker, attempt.resetTo);
        throw new RunWasReset('the run was reset');
      }
      if (attempt.kind !== 'rejected') return { attempt, sent: { from, to: Date.now() } };
      rollback.dismiss();
      step.set(StepState.failed, { note: noteOfRejection(attempt.error) });
      throw attempt.error;
    },
    settle: async (unsettled, unblocking) => {
      const shown = { ...mutation, step: unblocking(step) };
      const found = await resolve(run, shown, { ...unsettled, lastCall });
      if (found?.origin === 'recovered') return { ...found, noteGone };
      if (found === undefined) return undefined;
      rollback.dismiss();
      // Another input may have come during the look. From here on it comes too late.
      if (isProvenUnsent(lastCall)) refuseOutdatedInput(run, mutation.input);
      return found;
    },
    giveUp: (attempt, isFinal) => {
      noteNotSent(step, attempt);
      if (!isFinal) return;
      rollback.dismiss();
      step.set(StepState.failed, { note: attempt.reason });
    },
  });
}

/** The look that the first call makes instead of the run. A call that may still be on its way is looked for longer. */
function firstLookOf<T, Answer extends object>(
  run: MarkedRun,
  mutation: Mutation<T, Answer>,
): FirstLook | undefined {
  const canTell = mutation.isMine !== undefined && mutation.check === undefined;
  return canTell && cutShortAtOf(run) === undefined ? mutation.first : undefined;
}

function takeAnswer<T, Answer extends object>(
  { step }: Mutation<T, Answer>,
  answer: Answer,
  lastCall: LastCall,
) {
  const taskIds = namesTasks(answer) ? answer.taskIds : [];
  Object.assign(lastCall, { mayExist: true, taskIds });
  step.set(StepState.accepted, { taskIds });
  return { origin: 'sent', taskIds, answer } as const;
}

/**
 * Finds out what an attempt without an answer has made. `undefined`: nothing exists, so it may be sent
 * again.
 */
async function resolve<T, Answer extends object>(
  run: MarkedRun,
  mutation: Mutation<T, Answer>,
  unsettled: Unsettled & { lastCall: LastCall },
): Promise<Recovered<T> | Earlier<T> | undefined> {
  const { attempt, sent, lastCall } = unsettled;
  const isUnknown = attempt.kind === 'unknown';
  if (isUnknown) Object.assign(lastCall, { lostIn: sent, mayExist: true });
  lastCall.timesLost += Number(isUnknown);
  const guard = createResendGuard(run, attempt);
  const verdict = await blockOnContradiction(run, async () =>
    guard(await settle(run, mutation, unsettled)),
  );
  lastCall.lostIn = undefined;
  const isFound = verdict.kind === 'present';
  const isMine = isFound && isMadeByRun(mutation, { resource: verdict.resource, attempt });
  if (verdict.kind === 'task' || (isFound && isMine)) {
    const { taskIds, resource } = verdict;
    lastCall.taskIds = taskIds;
    mutation.step.set(StepState.accepted, { taskIds, note: RECOVERED });
    return { origin: 'recovered', taskIds, resource };
  }
  // A lost call may have failed by now and have left parts that the look does not show.
  if (verdict.kind === 'leftover' || isUnknown) {
    await mutation.remove(isFound ? [] : knownTasks(verdict));
  }
  lastCall.mayExist = false;
  if (!isFound) return undefined;
  const wasThere = attempt.kind === 'not-sent' && attempt.isThere === true;
  return adopt(mutation, verdict, wasThere ? EARLIER : 'somebody else made it meanwhile');
}

const EARLIER = 'found from an earlier try of this request';
const RECOVERED = 'its answer was lost; found again by its marker';

/** Takes over what this run has not made: it is never rolled back, and the ledger names it from now on. */
function adopt<T, Answer extends object>(
  { step, named }: Pick<Mutation<T, Answer>, 'step' | 'named'>,
  { resource, taskIds }: { resource: T; taskIds: string[] },
  note: string,
): Earlier<T> {
  step.set(StepState.accepted, { taskIds, note, ...(named && { resources: named(resource) }) });
  return { origin: 'earlier', taskIds, resource };
}

/** Nothing of this run can exist, so there is nothing to undo: what shows was made by somebody else. */
function isProvenUnsent({ mayExist }: LastCall): boolean {
  return !mayExist;
}

function registerUndo<T, Answer extends object>(
  run: MarkedRun,
  mutation: Mutation<T, Answer>,
  lastCall: LastCall,
): RegisteredRollback {
  return run.onRollback(mutation.step, {
    undo: async () => {
      if (isProvenUnsent(lastCall)) return;
      await mutation.remove(await tasksOfLastCall(run, mutation, lastCall));
    },
    inventory: async () =>
      isProvenUnsent(lastCall)
        ? []
        : mutation.inventory(await tasksOfLastCall(run, mutation, lastCall), 'request'),
  });
}

/** The last call that this run itself has sent: what a rollback has to undo. */
interface LastCall {
  /** When it was sent; set while its outcome is unknown. */
  lostIn: SendWindow | undefined;
  /** How often its outcome was unknown. */
  timesLost: number;
  taskIds: string[];
  /** A call of this run was sent, and what it made is not proven absent or removed. */
  mayExist: boolean;
}

/**
 * The tag of a resource proves best who has made it. Without a tag, this run has made the resource only if the outcome of its
 * call is unknown and it is what the call makes: otherwise somebody else has made it.
 */
function isMadeByRun<T, Answer extends object>(
  mutation: Mutation<T, Answer>,
  { resource, attempt }: { resource: T; attempt: NotSent | UnknownOutcome },
): boolean {
  const mayBe = attempt.kind === 'unknown' && mutation.isOther?.(resource) !== true;
  return mutation.isMine?.(resource) ?? mayBe;
}

/** Looks for the tasks first when the run was told to end while the outcome was unknown. */
async function tasksOfLastCall<T, Answer extends object>(
  run: Run,
  mutation: Mutation<T, Answer>,
  { lostIn, taskIds }: LastCall,
): Promise<string[]> {
  if (lostIn === undefined) return taskIds;
  const verdict = await reconcile(run, mutation, lostIn);
  return knownTasks(verdict);
}

/** Finds out what the API shows after an attempt without an answer. Nothing is sent before that. */
async function settle<T, Answer extends object>(
  run: Run,
  mutation: Mutation<T, Answer>,
  { attempt, sent, pause, lastCall }: Unsettled & { lastCall: LastCall },
): Promise<Settled<T>> {
  if (attempt.kind === 'unknown') {
    mutation.step.set(StepState.outcomeUnknown, { note: attempt.reason });
    const verdict = await reconcile(run, mutation, sent);
    // The search is a pause. But an API that answers no call for a day must not fill the history with searches.
    if (verdict.kind !== 'absent' || lastCall.timesLost === 1) return verdict;
    await pause();
  } else {
    noteNotSent(mutation.step, attempt);
    if (attempt.isThere === true) return lookForShown(run, mutation);
    // As long as the API asked for, and longer each time when it keeps turning the call away.
    await pause(undefined, attempt.waitMs);
  }
  run.ledger.setWaiting(undefined);
  // Temporal repeats this read until the API answers, so it also waits out an outage.
  return lookForSure(run, mutation);
}

function noteNotSent(step: StepRecorder, { reason }: NotSent): void {
  step.set(StepState.planned, { note: `not sent yet: ${reason}` });
}

/** Adopts what an earlier try of this request left when it is sound; removes it when it is broken. */
async function adoptEarlier<T, Answer extends object>(
  run: MarkedRun,
  mutation: Mutation<T, Answer>,
): Promise<Earlier<T> | undefined> {
  const { step } = mutation;
  for (;;) {
    const verdict = await blockOnContradiction(run, () => {
      // A person may answer a contradiction with another input.
      refuseOutdatedInput(run, mutation.input);
      return lookForEarlier(run, mutation);
    });
    if (verdict.kind === 'absent') return undefined;
    if (verdict.kind === 'present') {
      // It may have come during the look. From here on another input comes too late.
      refuseOutdatedInput(run, mutation.input);
      return adopt(mutation, verdict, EARLIER);
    }
    step.set(StepState.waiting, { note: `removing a leftover of an earlier try: ${verdict.note}` });
    await mutation.remove(knownTasks(verdict));
    run.ledger.setWaiting(undefined);
  }
}
