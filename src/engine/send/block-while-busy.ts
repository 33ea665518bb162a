import { CancellationScope, type ApplicationFailure } from '@temporalio/workflow';

import { FailureType } from '../core/failures.js';
import { isoOf } from '../core/times.js';
import { failure, failureTypeOf } from '../run/failures.js';
import { parkWhileBlocked, type Unblocking } from '../run/park-while-blocked.js';
import type { Run } from '../run/run-types.js';
import type { Unanswered, NotSent, UnknownOutcome } from './attempt-once.js';
import type { SendWindow } from './mutation.js';
import { createPause, type Pause } from '../wait/create-pause.js';

/** Blocks the run before it repeats a call that has met a defect of the worker: it would meet it again. */
export function createDefectBlock(run: Run) {
  const met: ApplicationFailure[] = [];
  return {
    note(attempt: Unanswered): void {
      if (attempt.kind === 'unknown' && attempt.defect !== undefined) met.push(attempt.defect);
    },
    /** Whether the run was blocked: then what it has seen is old. */
    async hasBlocked(): Promise<boolean> {
      if (met.length === 0) return false;
      await parkWhileBlocked(run, async () => {
        const defect = met.pop();
        if (defect !== undefined) return Promise.reject(defect);
      });
      return true;
    },
  };
}

export type DefectBlock = ReturnType<typeof createDefectBlock>;

/** 409s in a row before a person is asked: with the growing pauses a bit more than a minute. */
const MAX_BUSY = 10;
/** 409s in a row of which nothing says that they pass: then they are a refusal. */
const MAX_UNEXPLAINED = 3;

/** A try without a usable answer, when it was made, and the pause before what it has made is looked for. */
export interface Unsettled {
  attempt: NotSent | UnknownOutcome;
  sent: SendWindow;
  pause: Pause;
}

/** How one call is tried, and what becomes of a try. */
export interface Tries<R> {
  /** Throws when the call must not be made any more, because the input has been corrected. */
  begin(): Promise<void>;
  /** Makes one attempt. */
  send(unblocking: Unblocking): Promise<R | Omit<Unsettled, 'pause'>>;
  /** Finds out what a try has made. `undefined`: nothing, so the next one may follow. */
  settle(unsettled: Unsettled, unblocking: Unblocking): Promise<R | undefined>;
  /** Finds out what holds something that the call needs, in words: a task, or a status. Left out where nothing can show it. */
  held?: (() => Promise<string | undefined>) | undefined;
  /** Called when the run blocks, or fails, because this try was turned away too. `isFinal`: it fails. */
  giveUp(attempt: NotSent, isFinal: boolean): void;
}

/**
 * Tries a call until it is settled. A 409 is a lock when a task, a status or the API's own words say so: when the API keeps
 * turning the call away, the run blocks as `ResourceBusy`, and before each later try it looks again. Any other 409 is a
 * refusal, and fails the run as `InvalidRequest`, if it comes three times in a row.
 */
export async function blockWhileBusy<R extends object>(run: Run, tries: Tries<R>): Promise<R> {
  const pause = createPause(run, { name: 'the API to take the call', type: 'list of the API' });
  for (;;) {
    const settled = await tryWhileBusy(run, tries, pause);
    if (settled !== undefined) return settled;
  }
}

/** `undefined`: the last try failed for another reason, so the 409s before it block nothing. */
function tryWhileBusy<R extends object>(
  run: Run,
  tries: Tries<R>,
  pause: Pause,
): Promise<R | undefined> {
  const block = createBusyBlock(run, tries);
  let last: Unsettled | undefined;
  const tryOn = async (unblocking: Unblocking): Promise<R | undefined> => {
    await tries.begin();
    for (;;) {
      if (last !== undefined) {
        const found = await tries.settle(last, unblocking);
        if (found !== undefined || !isBusy(last.attempt)) return found;
      }
      const tried = await tries.send(unblocking);
      if (!('attempt' in tried)) return tried;
      last = { ...tried, pause };
      const { attempt } = tried;
      if (!isBusy(attempt)) continue;
      const refusal = await block(attempt);
      if (refusal === undefined) continue;
      // The block is the pause.
      last.pause = () => Promise.resolve();
      const isFinal = failureTypeOf(refusal) !== FailureType.resourceBusy;
      tries.giveUp(attempt, isFinal || run.prepared.onBlocked !== 'wait');
      throw refusal;
    }
  };
  return parkWhileBlocked(run, tryOn, BUSY);
}

const BUSY: ReadonlySet<FailureType> = new Set([FailureType.resourceBusy]);

type Busy = NotSent & { busy: string };

function isBusy(attempt: Unanswered): attempt is Busy {
  return attempt.kind === 'not-sent' && attempt.busy !== undefined;
}

/** What a call that converges says of its 409s. */
interface Turning extends Pick<Tries<object>, 'held'> {
  /** Called before the run fails: the API refuses the call. */
  refused?: () => void;
}

/**
 * The same rule for a call that may be repeated whatever became of the one before.
 *
 * @param act sends until it succeeds, and begins again with a look when the run was blocked. Calls `note` with each attempt
 * that has no answer, before it sends again
 */
export async function repeatWhileBusy<R>(
  run: Run,
  { held, refused }: Turning,
  act: (note: (attempt: Unanswered) => Promise<void>) => Promise<R>,
): Promise<R> {
  let block = createBusyBlock(run, { held });
  let blocked: Error | undefined;
  const note = async (attempt: Unanswered): Promise<void> => {
    if (!isBusy(attempt)) {
      block = createBusyBlock(run, { held });
      return;
    }
    const refusal = await block(attempt);
    if (refusal === undefined) return;
    if (failureTypeOf(refusal) === FailureType.resourceBusy) blocked = refusal;
    else refused?.();
    throw refusal;
  };
  const ended = await parkWhileBlocked(
    run,
    async () => {
      try {
        return { result: await act(note) };
      } catch (error) {
        // Other failures of this type are the caller's.
        if (error === blocked) throw error;
        return { error };
      }
    },
    BUSY,
  );
  if ('error' in ended) throw ended.error;
  return ended.result;
}

/** Counts the 409s, and says when they block the run or end it. */
function createBusyBlock({ prepared, controls }: Run, { held }: Pick<Tries<object>, 'held'>) {
  const isWaiting = prepared.onBlocked === 'wait';
  const since = Date.now();
  let times = 0;
  let unexplained = 0;
  return async ({ busy }: Busy): Promise<Error | undefined> => {
    times += 1;
    if (CancellationScope.current().consideredCancelled) return undefined;
    const holder = LOCKED.test(busy) ? busy : await held?.();
    unexplained = holder === undefined ? unexplained + 1 : 0;
    if (unexplained >= MAX_UNEXPLAINED) return refusalOf(busy);
    // A rollback waits until a lock is gone: nobody else undoes what the run has done.
    const mayBlock = times >= MAX_BUSY && controls.endingReason() === undefined;
    if (holder === undefined || !mayBlock) return undefined;
    const why = holder === busy ? busy : `${busy} Now ${holder}.`;
    return failure(
      FailureType.resourceBusy,
      `The API has answered the call with 409 ${times} times in a row since ${isoOf(since)}: ${why}`,
      { advice: isWaiting ? ADVICE_WAITING : ADVICE_FAILING },
    );
  };
}

/** So the API says that a call is turned away for a while. */
const LOCKED =
  /\block|\bbusy\b|\btasks?\b|in progress|another (?:operation|request|action)|try again|\bbeing\b|\b(?:creat|updat|delet|attach|detach|extend|resiz|revert|migrat|reboot|build)ing\b/i;

function refusalOf(busy: string): Error {
  return failure(
    FailureType.invalidRequest,
    `The API refuses the call, and no task and no status says that this passes: ${busy}`,
    { advice: 'Look at the state of what the call names, then start again.' },
  );
}

const ADVICE_WAITING =
  'Look at what holds the resource. By itself the run tries again from time to time; `resume` tries ' +
  'at once, and `abort` ends the run.';
const ADVICE_FAILING = 'Look at what holds the resource, then start again.';
