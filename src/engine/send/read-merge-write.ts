import { FailureType } from '../core/failures.js';
import { StepState } from '../core/status.js';
import { attemptOnce, type Unanswered } from './attempt-once.js';
import { createDefectBlock, repeatWhileBusy, type DefectBlock } from './block-while-busy.js';
import type { Within } from '../run/activity-calls.js';
import { failure } from '../run/failures.js';
import { lookUntilGraceEnds } from '../wait/look-until.js';
import type { StepRecorder } from '../run/ledger.js';
import { lookUnpaused } from '../run/look-unpaused.js';
import type { Seen } from '../run/read-times.js';
import type { Run } from '../run/run-types.js';
import { createPause, type Pause } from '../wait/create-pause.js';

/**
 * A change of a list that the API only replaces as a whole and that others may change too. Each call
 * is made from a fresh read, so none is ever sent a second time.
 */
export interface Merge<T> {
  step: StepRecorder;
  /** What is changed, for the status: `the keys of SFTP storage 7`. */
  name: string;
  /** Reads the current state, at a moment when it may be changed. */
  read(): Promise<T>;
  /** The call that completes `current`, in one attempt; `undefined` when it is complete. */
  change(current: T): ((within: Within) => Promise<unknown>) | undefined;
  /** Called with the time when the outcome of a call becomes unknown; without it when it is known. */
  onUnknownSince?(since: number | undefined): void;
  /** Called when the API turned a call away: it changed nothing. */
  onTurnedAway?(): void;
}

/** After this number, another writer keeps undoing the change, and a person has to find it. */
const MAX_SENDS = 10;

/**
 * Reads, merges, writes, and reads again until a read shows that nothing is missing. Returns that read,
 * so a success has always been seen.
 *
 * When somebody else writes in between, the next read and merge include it. After a lost answer it
 * looks for the result through the grace time, so that a late call does not meet a newer one. The API
 * has no conditional request: what others write between a read and the write after it is lost, and no
 * client can see that.
 * Fails as `ResourceBusy` when others keep changing it back.
 */
export async function mergeUntilSeen<T>(run: Run, merge: Merge<T>): Promise<T> {
  const pause = createPause(run, { name: merge.name, type: 'list of the API' });
  const block = createDefectBlock(run);
  let sends = 0;
  const refused = (): void => {
    merge.step.set(sends === 0 ? StepState.failed : StepState.waiting, { note: REFUSED });
  };
  return repeatWhileBusy(run, { refused }, async (noteBusy) => {
    for (;;) {
      const seen = await lookUnpaused(run, () => merge.read());
      const { state: current } = seen;
      const send = merge.change(current);
      if (send === undefined) {
        run.ledger.setWaiting(undefined);
        return current;
      }
      if (await block.hasBlocked()) {
        // Nobody else has changed it back.
        sends -= 1;
        continue;
      }
      if (sends === MAX_SENDS) throw contestedFailure(merge.name);
      const isFirst = sends === 0;
      sends += await attemptMerge(run, merge, { send, seen, pause, isFirst, block, noteBusy });
      // Two writers at the same pace would undo each other for ever. The pause separates them.
      if (sends > 1) await pause('changed by somebody else');
    }
  });
}

const REFUSED = 'refused by the API';

interface Sending {
  send: (within: Within) => Promise<unknown>;
  seen: Pick<Seen<unknown>, 'at' | 'reads'>;
  pause: Pause;
  isFirst: boolean;
  block: DefectBlock;
  noteBusy: (attempt: Unanswered) => Promise<void>;
}

/** Sends once. Returns how many calls may have been carried out. */
async function attemptMerge<T>(
  run: Run,
  merge: Merge<T>,
  { send, seen, pause, isFirst, block, noteBusy }: Sending,
): Promise<0 | 1> {
  const { step } = merge;
  const outcome = await attemptOnce(run, {
    seenAt: seen.at,
    again: seen.reads,
    send: (within) => {
      step.set(StepState.sending);
      return send(within);
    },
  });
  if (outcome.kind === 'rejected') {
    step.set(isFirst ? StepState.failed : StepState.waiting, { note: REFUSED });
    merge.onTurnedAway?.();
    throw outcome.error;
  }
  if (outcome.kind === 'not-sent') {
    const note = `not sent yet: ${outcome.reason}`;
    step.set(isFirst ? StepState.planned : StepState.waiting, { note });
    merge.onTurnedAway?.();
    await noteBusy(outcome);
    await pause(undefined, outcome.waitMs);
    return 0;
  }
  if (outcome.kind === 'unknown') {
    step.set(StepState.outcomeUnknown, { note: outcome.reason });
    const since = Date.now();
    merge.onUnknownSince?.(since);
    block.note(outcome);
    await noteBusy(outcome);
    await untilOutcomeKnown(run, merge, since);
    merge.onUnknownSince?.(undefined);
  }
  step.set(StepState.waiting);
  return 1;
}

/** Looks until a read shows the effect of the call, or the grace time has passed. */
export async function untilOutcomeKnown<T>(
  run: Run,
  { name, read, change }: Pick<Merge<T>, 'name' | 'read' | 'change'>,
  since: number,
): Promise<void> {
  const until = since + run.prepared.policy.reconcileGraceMs;
  const trace = `the effect on ${name} of the call whose answer was lost`;
  await lookUntilGraceEnds(run, { name: trace, until }, async (isLate) => {
    const isSeen = change(await read()) === undefined;
    return isSeen || isLate ? true : undefined;
  });
}

function contestedFailure(name: string): Error {
  return failure(
    FailureType.resourceBusy,
    `Somebody else has changed ${name} back ${MAX_SENDS} times.`,
    { advice: 'Find out who keeps replacing the whole list, then start again.' },
  );
}
