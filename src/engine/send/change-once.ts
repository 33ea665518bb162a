import type { RemoteApi } from '../core/product.js';
import { FailureType } from '../core/failures.js';
import { MAX_CALL_MS } from '../core/run-policy.js';
import { StepState } from '../core/status.js';
import type { Within } from '../run/activity-calls.js';
import { failure } from '../run/failures.js';
import { parkWhileBlocked } from '../run/park-while-blocked.js';
import {
  refuseChanged,
  refuseOutdatedInput,
  RunWasReset,
} from '../run/restart-on-corrected-input.js';
import type { Seen } from '../run/read-times.js';
import type { ChangeRun, Run } from '../run/run-types.js';
import { lookUntilGivenUp } from '../wait/look-until.js';
import { createSureRead } from '../wait/read-surely.js';
import { OUTDATED } from './attempt-once.js';
import { blockWhileBusy, type Unsettled } from './block-while-busy.js';
import { untilChangeEnds, type FoundTasks } from './change-ends.js';
import { lookUnlessFresh, notReachedFailure, untilShown } from './converge.js';
import {
  attemptMutation,
  namesTasks,
  noteOfRejection,
  type Searched,
  type SendWindow,
} from './mutation.js';
import { createResendGuard, reconcile } from './reconcile.js';
import type { Changed, OneChange } from './one-change.js';
import { createStillWanted, type StillWanted } from './still-wanted.js';
import { blockOnContradiction, type Settled } from './verdict.js';

/** The call as the API has taken it, or the state when nothing was to be done. */
type Taken<T> = FoundTasks | { asWanted: T };

/**
 * Carries out a change once, and proves it by a read. Reads first and sends nothing when nothing differs. After a
 * lost answer it looks through the grace time, and sends again only when no task of the call shows and the state
 * still differs. A call that the API has taken is never sent again: when its effect does not show, the run blocks.
 * Throws `OutdatedInput` and `RunWasReset`.
 */
export async function changeOnce<T extends object, A extends RemoteApi>(
  run: ChangeRun<A>,
  given: OneChange<T, A>,
): Promise<Changed<T>> {
  const name = `what "${given.step.name}" changes`;
  refuseOutdatedInput(run, given.input);
  let isCarriedOut = false;
  const stillWanted = createStillWanted(run, given);
  const sure = createSureRead<T>(run, {
    ...given.sure,
    isWhole: (seen) => given.sure?.isWhole(seen, isCarriedOut) ?? true,
    name,
    read: () => given.read(),
  });
  const read = stillWanted.watched(sure);
  const change = { ...given, read };
  let known: Seen<T> | undefined = await run.api.times.look(read);
  let { state: before } = known;
  let taken: Taken<T> | undefined;
  let isSent = false;
  let endedAt: number | undefined;
  const watched: Pick<OneChange<T, A>, 'send' | 'onUnknown'> = {
    // Others may have changed it since the first look, while the call was turned away.
    send: (within, state) => {
      if (!isSent) before = state;
      return change.send(within, state);
    },
    onUnknown: () => {
      isSent = true;
      change.onUnknown();
    },
  };
  return parkWhileBlocked(run, async (unblocking) => {
    const shown = { ...change, ...watched, step: unblocking(change.step) };
    const first = { known, stillWanted };
    // What a blocked run has seen before is old.
    known = undefined;
    taken ??= (await findEarlier(run, shown)) ?? (await sendUntilTaken(run, shown, first));
    if ('asWanted' in taken) {
      if (!isSent) before = taken.asWanted;
      const after = await stayedAsWanted(run, { change, isSent }, taken.asWanted);
      return { before, after, taskIds: [], isSent };
    }
    isSent = true;
    const { taskIds } = taken;
    const ended = await untilChangeEnds(run, shown, taken);
    if ('failure' in ended) {
      // Nothing of it can still take effect: where a person can mend the cause, it is sent again.
      taken = undefined;
      throw ended.failure;
    }
    const { seen } = ended;
    endedAt ??= Date.now();
    isCarriedOut = ended.isCarriedOut;
    if (change.sendsOnce === true && !isCarriedOut) await blockForGood(run, shown);
    const proven = { ...change, drift: (state: T) => change.drift(state, isCarriedOut) };
    const after = await untilShown(run, proven, { taskIds, seen, endedAt });
    return { before, after: await untilSettled(run, proven, after), taskIds, isSent };
  });
}

/**
 * The state once it has settled, where no call was answered. While it settles, a person may correct the input, or somebody
 * may change the resource: then the round begins again.
 */
async function stayedAsWanted<T extends object>(
  run: ChangeRun,
  { change, isSent }: { change: OneChange<T>; isSent: boolean },
  first: T,
): Promise<T> {
  const read = async (): Promise<T> => {
    const state = await change.read();
    refuseOutdatedInput(run, change.input);
    if (!isSent && change.settling?.isAt(state) === undefined) {
      refuseChanged(change.drift(state, false) === undefined);
    }
    return state;
  };
  refuseOutdatedInput(run, change.input);
  return untilSettled(run, { ...change, read }, first);
}

/** Looks again until the resource has settled, and is as wanted then. */
async function untilSettled<T extends object>(
  run: ChangeRun,
  change: Pick<OneChange<T>, 'settling' | 'read' | 'drift'>,
  first: T,
): Promise<T> {
  const { settling } = change;
  if (settling === undefined) return first;
  const { name, type } = settling;
  let seen: T | undefined = first;
  let isAt: string | undefined;
  const settled = await lookUntilGivenUp(run, { name, type, state: () => isAt }, async () => {
    const state: T = seen ?? (await change.read());
    seen = undefined;
    isAt = settling.isAt(state);
    return isAt === undefined ? state : undefined;
  });
  const drift = change.drift(settled, false);
  if (drift !== undefined) throw notReachedFailure(drift, []);
  return settled;
}

/** What an earlier run of the request has sent, if one was cut short: its call may still be on its way. */
async function findEarlier<T extends object>(
  run: ChangeRun,
  change: OneChange<T>,
): Promise<Taken<T> | undefined> {
  const { cutShortAt, since } = run.prepared;
  if (cutShortAt === undefined) return undefined;
  const to = cutShortAt + MAX_CALL_MS;
  const sent = { from: since ?? cutShortAt - MAX_CALL_MS, to, isEarlier: true as const };
  const taken = await settle(run, change, { sent, before: [], guard: (verdict) => verdict });
  change.earlier.haveLooked(cutShortAt);
  return taken;
}

const NOTHING_SENT: SendWindow = { from: 0, to: 0 };

interface First<T> {
  /** The first look, unless the run was blocked since. */
  known: Seen<T> | undefined;
  stillWanted: StillWanted<T>;
}

/** Sends until the API has taken the call. */
function sendUntilTaken<T extends object>(
  run: ChangeRun,
  change: OneChange<T>,
  { stillWanted, ...first }: First<T>,
): Promise<Taken<T>> {
  const { step, input } = change;
  const begin = async (): Promise<void> => {
    await run.controls.untilUnpaused();
    refuseOutdatedInput(run, input);
  };
  let { known } = first;
  let isChecked = false;
  let there: readonly string[] = [];
  return blockWhileBusy<Taken<T>>(run, {
    begin,
    send: async () => {
      // A pause between two tries may have brought another one.
      refuseOutdatedInput(run, input);
      const seen = await lookUnlessFresh(run, known, () => change.read());
      const { state } = seen;
      known = undefined;
      if (change.drift(state, false) === undefined) return { asWanted: state };
      stillWanted.refuseChanged(state);
      if (await change.untilOthersEnd?.(state)) return { attempt: OUTDATED, sent: NOTHING_SENT };
      await change.check(state, !isChecked);
      if (!isChecked) await begin();
      isChecked = true;
      if (change.tasks !== undefined) there = await change.tasks.before();
      const from = Date.now();
      const send = (within: Within) => change.send(within, state);
      const again = change.tasks === undefined ? seen.reads : undefined;
      const looked = { seenAt: seen.at, again };
      const attempt = await attemptMutation(run, { step, input, send }, looked);
      if (attempt.kind === 'answered') {
        const { answer } = attempt;
        const taskIds = namesTasks(answer) ? answer.taskIds : [];
        step.set(StepState.accepted, { taskIds });
        return { taskIds, isAnswered: true };
      }
      if (attempt.kind === 'rejected') {
        step.set(StepState.failed, { note: noteOfRejection(attempt.error) });
        throw attempt.error;
      }
      if (attempt.kind === 'not-sent' && attempt.resetTo !== undefined) {
        change.earlier.isNow(attempt.resetTo);
        run.noteReset({ cutShortAt: Date.now(), since: run.startedAt });
        throw new RunWasReset('the run was reset');
      }
      return { attempt, sent: { from, to: Date.now() } };
    },
    settle: (unsettled) => settleAttempt(run, change, { ...unsettled, before: there }),
    held: async () => change.held?.(await change.read()),
    giveUp: ({ reason }, isFinal) => {
      if (isFinal) step.set(StepState.failed, { note: reason });
      else step.set(StepState.planned, { note: `not sent yet: ${reason}` });
    },
  });
}

/** Waits before the next try, or finds out what this one has done. `undefined`: it has done nothing. */
async function settleAttempt<T extends object>(
  run: ChangeRun,
  change: OneChange<T>,
  { attempt, sent, pause, before }: Unsettled & Pick<Lost<T>, 'before'>,
): Promise<Taken<T> | undefined> {
  const { step } = change;
  if (attempt.kind === 'unknown') {
    step.set(StepState.outcomeUnknown, { note: attempt.reason });
    change.onUnknown();
    return settle(run, change, { sent, before, guard: createResendGuard(run, attempt) });
  }
  step.set(StepState.planned, { note: `not sent yet: ${attempt.reason}` });
  await pause(undefined, attempt.waitMs);
  run.ledger.setWaiting(undefined);
  return undefined;
}

interface Lost<T> {
  sent: SendWindow;
  /** The tasks that were there before it. */
  before: readonly string[];
  guard: (verdict: Settled<T>) => Settled<T>;
}

/** Looks through the grace time for what a call has done whose answer was lost. `undefined`: nothing. */
async function settle<T extends object>(
  run: ChangeRun,
  change: OneChange<T>,
  { sent, before, guard }: Lost<T>,
): Promise<Taken<T> | undefined> {
  if (change.sendsOnce === true) return blockForGood(run, change);
  const decide = createDecision(run);
  const { tasks } = change;
  const searched: Searched<T> = {
    look: async () => {
      const state = await change.read();
      const isReached = change.drift(state, false) === undefined;
      return isReached ? { kind: 'present', resource: state, taskIds: [] } : { kind: 'absent' };
    },
    ...(tasks && {
      trace: (window) =>
        tasks.trace(window, (taskId) => before.includes(taskId) || run.tasks.has(taskId)),
    }),
  };
  const verdict = await blockOnContradiction(run, async () =>
    decide(guard(await reconcile(run, searched, sent))),
  );
  if (verdict.kind === 'absent') {
    change.step.set(StepState.planned, { note: 'not sent yet: nothing of a lost call shows' });
    return undefined;
  }
  if (verdict.kind === 'leftover') throw new TypeError('a change leaves no parts behind');
  // It may have come during the look. From here on another input comes too late.
  refuseOutdatedInput(run, change.input);
  if (verdict.kind === 'present') change.onShown(verdict.resource);
  const { kind, taskIds } = verdict;
  const note = kind === 'task' ? 'its answer was lost; found again among the tasks' : undefined;
  change.step.set(StepState.accepted, { taskIds, ...(note !== undefined && { note }) });
  return { taskIds, mayHaveEnded: true };
}

/** No look can tell, so no look is made. Neither time nor a `resume` sends the call again: only the end of the run is left. */
function blockForGood(run: ChangeRun, { step }: Pick<OneChange<object>, 'step'>): Promise<never> {
  if (step.state !== StepState.outcomeUnknown) step.set(StepState.outcomeUnknown);
  return parkWhileBlocked(run, () => {
    throw failure(FailureType.outcomeUnknown, UNSEEN, { advice: ADVICE_UNSEEN });
  });
}

const UNSEEN =
  'The call may have been sent, nothing says whether it was carried out, and the input names nothing to look at.';
const ADVICE_UNSEEN =
  'Find out in the portal whether it was carried out, then `abort` the run: it never sends the call again, also not ' +
  'after `resume`. If it was not carried out, start again under another request id.';

/** Where the evidence does not decide, a person does: a `resume` says that the call was not carried out. */
function createDecision({ controls }: Pick<Run, 'controls'>) {
  let decidedBefore: number | undefined;
  return <T>(verdict: Settled<T>): Settled<T> => {
    if (verdict.kind !== 'contradiction') return verdict;
    decidedBefore ??= controls.decisions();
    return controls.decisions() > decidedBefore ? { kind: 'absent' } : verdict;
  };
}
