import { FailureType } from '../../../contract/failures.js';
import { Phase, StepState } from '../../../contract/status.js';
import { attemptOnce } from './attempt-once.js';
import { failure } from '../run/failures.js';
import { lookUntilGraceEnds } from '../wait/look-until.js';
import type { StepRecorder } from '../run/ledger.js';
import type { Run } from '../run/run-types.js';
import { createPause, type Pause } from '../wait/create-pause.js';

/**
 * A change of something that the API only replaces as a whole and that others may change too. What
 * is sent is made from what was read, so nothing is ever sent a second time: it is read anew.
 */
export interface Merge<T> {
  step: StepRecorder;
  /** What is changed, as a person reads it: `the keys of SFTP storage 7`. */
  name: string;
  /** What is there, at a moment at which it may be changed. */
  read(): Promise<T>;
  /** Sends what `current` still lacks, in one attempt; `undefined` when it lacks nothing. */
  change(current: T): (() => Promise<unknown>) | undefined;
  /** Told when nobody knows what came of a call (since when), and when that is known again. */
  onDoubt?(since: number | undefined): void;
  /** A call was turned away: nothing came of it. */
  onNothing?(): void;
}

/** Each is answered by a new look: whoever else writes all the time has to be found by a person. */
const MAX_SENDS = 10;

/**
 * Reads, merges, writes, and reads again until a look shows that nothing lacks any more: that look is
 * what is returned, so success is always something that was seen.
 *
 * When somebody else wrote in between, what they wrote is read and merged. When an answer is lost, it
 * is looked for through the grace time: a call that is late must not meet a newer one. There is no
 * conditional request in this API: what others write between a read and the write that follows it is
 * lost, and no client can see it.
 * Fails as `ResourceBusy` when others change it back again and again.
 */
export async function mergeUntilSeen<T>(run: Run, merge: Merge<T>): Promise<T> {
  const pause = createPause(run, { name: merge.name, type: 'list of the API' });
  for (let sends = 0; ;) {
    const current = await readUnpaused(run, merge);
    const send = merge.change(current);
    if (send === undefined) {
      run.ledger.setWaiting(undefined);
      return current;
    }
    if (sends === MAX_SENDS) throw contested(merge.name);
    sends += await attempt(run, merge, { send, pause, isFirst: sends === 0 });
    // Two that write side by side would undo each other for ever: they part by waiting.
    if (sends > 1) await pause('changed by somebody else');
  }
}

/** What was read before a pause is too old to be written back after it. */
async function readUnpaused<T>(run: Run, merge: Merge<T>): Promise<T> {
  for (;;) {
    await run.controls.clearance();
    const current = await merge.read();
    if (run.ledger.document().phase !== Phase.paused) return current;
  }
}

interface Sending {
  send: () => Promise<unknown>;
  pause: Pause;
  isFirst: boolean;
}

/** Returns how many calls may have been carried out. */
async function attempt<T>(
  run: Run,
  merge: Merge<T>,
  { send, pause, isFirst }: Sending,
): Promise<0 | 1> {
  const { step } = merge;
  const outcome = await attemptOnce(() => {
    step.set(StepState.sending);
    return send();
  });
  if (outcome.kind === 'rejected') {
    step.set(isFirst ? StepState.failed : StepState.waiting, { note: 'refused by the API' });
    merge.onNothing?.();
    throw outcome.error;
  }
  if (outcome.kind === 'not-sent') {
    const note = `not sent yet: ${outcome.reason}`;
    step.set(isFirst ? StepState.planned : StepState.waiting, { note });
    merge.onNothing?.();
    await pause(undefined, outcome.waitMs);
    return 0;
  }
  if (outcome.kind === 'unknown') {
    step.set(StepState.outcomeUnknown, { note: outcome.reason });
    const since = Date.now();
    merge.onDoubt?.(since);
    await untilKnown(run, merge, since);
    merge.onDoubt?.(undefined);
  }
  step.set(StepState.waiting);
  return 1;
}

/** Until a look shows that the call was carried out, or the grace time has passed without. */
export async function untilKnown<T>(
  run: Run,
  { name, read, change }: Pick<Merge<T>, 'name' | 'read' | 'change'>,
  since: number,
): Promise<void> {
  const until = since + run.prepared.policy.reconcileGraceMs;
  const trace = `a trace in ${name} of the call whose answer was lost`;
  await lookUntilGraceEnds(run, { name: trace, until }, async (isLate) => {
    const isSeen = change(await read()) === undefined;
    return isSeen || isLate ? true : undefined;
  });
}

function contested(name: string): Error {
  return failure(
    FailureType.resourceBusy,
    `Somebody else has changed ${name} back ${MAX_SENDS} times.`,
    { advice: 'Find out who writes the whole list all the time, then start again.' },
  );
}
