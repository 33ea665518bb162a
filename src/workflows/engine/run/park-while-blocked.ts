import { CancellationScope } from '@temporalio/workflow';

import type { PreparedRun } from '../../../contract/prepared/prepared-run.js';
import { FailureType, withoutAdvice } from '../../../contract/failures.js';
import { isoOf } from '../../../contract/iso-of.js';
import type { Blocked } from '../../../contract/status-document.js';
import type { Controls } from './controls.js';
import { detailsOf, failureOf, failureTypeOf } from './failures.js';
import type { Ledger } from './ledger.js';

/** What a person has to mend. An outage is none of these: it only waits. */
const BLOCKING: ReadonlySet<FailureType> = new Set([
  FailureType.unauthorized,
  FailureType.quotaExceeded,
  FailureType.capacityUnavailable,
  FailureType.outcomeUnknown,
  FailureType.manifestUnreadable,
]);

export function isBlocking(error: unknown): boolean {
  const type = failureTypeOf(error);
  return type !== undefined && BLOCKING.has(type);
}

/** The part of a run that a block needs. */
export interface Blockable {
  readonly prepared: PreparedRun;
  readonly ledger: Ledger;
  readonly controls: Controls;
}

const PROBE_MS = 60_000;
/** Probes come ever more seldom, so that the history of a run that is blocked for months stays small. */
const SHARE_OF_BLOCKED = 0.02;

/**
 * Carries out `attempt`. When it fails with something that a person has to mend, the run parks,
 * says why and what to do, and tries again after `resume`, or by itself from time to time. With
 * `onBlocked: 'fail'`, and once the run is to end, the failure goes through.
 */
export async function parkWhileBlocked<T>(run: Blockable, attempt: () => Promise<T>): Promise<T> {
  const me = {};
  let since: number | undefined;
  try {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        const type = failureTypeOf(error);
        if (type === undefined || !mayPark(run, type)) throw error;
        since ??= Date.now();
        const waitMs = probeDelay(run, Date.now() - since);
        run.ledger.setBlocked(me, describe(error, { type, since, waitMs }));
        await park(run, { error, type, waitMs });
      }
    }
  } finally {
    run.ledger.setBlocked(me, undefined);
  }
}

function mayPark({ prepared, controls }: Blockable, type: FailureType): boolean {
  return prepared.onBlocked === 'wait' && BLOCKING.has(type) && controls.ending() === undefined;
}

/** Returns when it is time to try again; throws when the run is to end instead. */
async function park(
  { controls }: Blockable,
  { error, type, waitMs }: { error: unknown; type: FailureType; waitMs: number },
): Promise<void> {
  try {
    await controls.resumed(waitMs, `blocked as ${type}: next try`);
    const ending = controls.ending();
    if (ending === undefined) return;
    // In a rollback the cause says why it could not be finished.
    throw CancellationScope.current().consideredCancelled ? ending : error;
  } catch (thrown) {
    // Ended by a person while the evidence still contradicts itself: nothing is removed on a guess.
    if (type === FailureType.outcomeUnknown) controls.leaveAsIs();
    throw thrown;
  }
}

function probeDelay({ prepared }: Blockable, elapsedMs: number): number {
  const { probeMs = PROBE_MS } = prepared.policy;
  // Up to a fifth earlier or later: runs that were blocked together must not probe together.
  const jitter = 0.8 + Math.random() * 0.4;
  return Math.round(Math.max(probeMs, elapsedMs * SHARE_OF_BLOCKED) * jitter);
}

function describe(
  error: unknown,
  { type, since, waitMs }: { type: FailureType; since: number; waitMs: number },
): Blocked {
  const cause = failureOf(error);
  const advice = detailsOf(error).advice ?? 'Mend the cause, then resume the run.';
  return {
    type,
    message: withoutAdvice(cause?.message ?? '', advice),
    advice: `${advice} Then resume the run, or let it try again by itself.`,
    since: isoOf(since),
    nextCheckAt: isoOf(Date.now() + waitMs),
  };
}
