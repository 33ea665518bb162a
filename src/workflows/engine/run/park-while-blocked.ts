import { CancellationScope, patched } from '@temporalio/workflow';

import type { PreparedRun } from '../../../contract/prepared/prepared-run.js';
import { FailureType, withoutAdvice } from '../../../contract/failures.js';
import { isoOf } from '../../../contract/iso-of.js';
import { StepState } from '../../../contract/status.js';
import type { Blocked } from '../../../contract/status-document.js';
import type { Controls } from './controls.js';
import { detailsOf, failureOf, failureTypeOf } from './failures.js';
import type { Ledger, StepRecorder } from './ledger.js';
import { Patch } from './patches.js';

/** Problems that need a person. An outage is not among them: the run just waits for its end. */
const BLOCKING: ReadonlySet<FailureType> = new Set([
  FailureType.unauthorized,
  FailureType.quotaExceeded,
  FailureType.capacityUnavailable,
  FailureType.outcomeUnknown,
  FailureType.manifestUnreadable,
  FailureType.removalBlocked,
]);

export function isBlocking(error: unknown): boolean {
  const type = failureTypeOf(error);
  return type !== undefined && BLOCKING.has(type);
}

/** What a block needs of the run. */
export interface Blockable {
  readonly prepared: PreparedRun;
  readonly ledger: Ledger;
  readonly controls: Controls;
}

/** The same step. Once it says that a call was taken, or may have been, the status is not blocked. */
export type Unblocking = (step: StepRecorder) => StepRecorder;

const TAKEN: ReadonlySet<StepState> = new Set([StepState.accepted, StepState.outcomeUnknown]);

function unblockingStep(step: StepRecorder, unblock: () => void): StepRecorder {
  return {
    name: step.name,
    get state() {
      return step.state;
    },
    set(state, facts) {
      step.set(state, facts);
      if (TAKEN.has(state)) unblock();
    },
  };
}

const PROBE_MS = 60_000;
/** Probes become rarer over time: the history of a run that is blocked for months stays small. */
const SHARE_OF_BLOCKED = 0.02;

/**
 * Runs `attempt`. When it fails with a problem that needs a person, the run parks: its status says why
 * and what to do, and it tries again after `resume`, or by itself from time to time. The failure is
 * thrown instead with `onBlocked: 'fail'`, and when the run is to end.
 * An attempt that goes on for long after its call was taken records it with an `Unblocking` step.
 */
export async function parkWhileBlocked<T>(
  run: Blockable,
  attempt: (unblocking: Unblocking) => Promise<T>,
): Promise<T> {
  const blocker = {};
  let since: number | undefined;
  const unblock = (): void => {
    if (since === undefined || !patched(Patch.earlyUnblock)) return;
    run.ledger.setBlocked(blocker, undefined);
  };
  try {
    for (;;) {
      try {
        return await attempt((step) => unblockingStep(step, unblock));
      } catch (error) {
        const type = failureTypeOf(error);
        if (type === undefined || !mayPark(run, type)) throw error;
        since ??= Date.now();
        const waitMs = probeDelay(run, Date.now() - since);
        run.ledger.setBlocked(blocker, describe(error, { type, since, waitMs }));
        await park(run, { error, type, waitMs });
      }
    }
  } finally {
    run.ledger.setBlocked(blocker, undefined);
  }
}

function mayPark({ prepared, controls }: Blockable, type: FailureType): boolean {
  return (
    prepared.onBlocked === 'wait' && BLOCKING.has(type) && controls.endingReason() === undefined
  );
}

/** Returns when it is time to try again; throws when the run is to end instead. */
async function park(
  { controls }: Blockable,
  { error, type, waitMs }: { error: unknown; type: FailureType; waitMs: number },
): Promise<void> {
  try {
    await controls.untilResumed(waitMs, `blocked as ${type}: next try`);
    const ending = controls.endingReason();
    if (ending === undefined) return;
    // In a rollback, the cause says why the rollback could not be finished.
    throw CancellationScope.current().consideredCancelled ? ending : error;
  } catch (thrown) {
    // The run ends while the evidence still contradicts itself: remove nothing on a guess.
    if (type === FailureType.outcomeUnknown) controls.leaveAsIs();
    throw thrown;
  }
}

function probeDelay({ prepared }: Blockable, elapsedMs: number): number {
  const { probeMs = PROBE_MS } = prepared.policy;
  // Up to a fifth earlier or later, so that runs that were blocked together do not probe together.
  const jitter = 0.8 + Math.random() * 0.4;
  return Math.round(Math.max(probeMs, elapsedMs * SHARE_OF_BLOCKED) * jitter);
}

function describe(
  error: unknown,
  { type, since, waitMs }: { type: FailureType; since: number; waitMs: number },
): Blocked {
  const cause = failureOf(error);
  const advice = detailsOf(error).advice ?? 'Fix the cause, then resume the run.';
  return {
    type,
    message: withoutAdvice(cause?.message ?? '', advice),
    advice: `${advice} Then resume the run, or let it try again by itself.`,
    since: isoOf(since),
    nextCheckAt: isoOf(Date.now() + waitMs),
  };
}
