import type { ApplicationFailure } from '@temporalio/workflow';

import { FailureType } from '../core/failures.js';
import { isoOf } from '../core/times.js';
import { failure } from '../run/failures.js';
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
  /** Called when the run blocks, or fails, because this try was turned away too. */
  giveUp(attempt: NotSent): void;
}

/**
 * Tries a call until it is settled. When the API keeps turning it away with 409, the run blocks as
 * `ResourceBusy`; before each later try it looks again.
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
  const block = createBusyBlock(run);
  let last: Unsettled | undefined;
  const attempt = async (unblocking: Unblocking): Promise<R | undefined> => {
    await tries.begin();
    for (;;) {
      if (last !== undefined) {
        const found = await tries.settle(last, unblocking);
        if (found !== undefined || !isBusy(last.attempt)) return found;
      }
      const tried = await tries.send(unblocking);
      if (!('attempt' in tried)) return tried;
      last = { ...tried, pause };
      const refusal = block(tried.attempt);
      if (refusal === undefined) continue;
      // The block is the pause.
      last.pause = () => Promise.resolve();
      tries.giveUp(refusal.attempt);
      throw refusal.error;
    }
  };
  return parkWhileBlocked(run, attempt, BUSY);
}

const BUSY: ReadonlySet<FailureType> = new Set([FailureType.resourceBusy]);

function isBusy(attempt: NotSent | UnknownOutcome): attempt is NotSent & { busy: string } {
  return attempt.kind === 'not-sent' && attempt.busy !== undefined;
}

/** Counts the 409s and says when they block the run. */
function createBusyBlock({ prepared, controls }: Run) {
  const isWaiting = prepared.onBlocked === 'wait';
  const since = Date.now();
  let times = 0;
  return (attempt: NotSent | UnknownOutcome): { attempt: NotSent; error: Error } | undefined => {
    if (!isBusy(attempt)) return undefined;
    times += 1;
    if (times < MAX_BUSY || controls.endingReason() !== undefined) return undefined;
    const error = failure(
      FailureType.resourceBusy,
      `The API has answered the call with 409 ${times} times in a row since ${isoOf(since)}: ${attempt.busy}`,
      { advice: isWaiting ? ADVICE_WAITING : ADVICE_FAILING },
    );
    return { attempt, error };
  };
}

const ADVICE_WAITING =
  'Look at what holds the resource. By itself the run tries again from time to time; `resume` tries ' +
  'at once, and `abort` ends the run.';
const ADVICE_FAILING = 'Look at what holds the resource, then start again.';
