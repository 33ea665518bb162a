import { CancellationScope } from '@temporalio/workflow';

import type { PreparedRun } from '../core/prepared-run.js';
import { FailureType, withoutAdvice } from '../core/failures.js';
import { isoOf } from '../core/times.js';
import { StepState } from '../core/status.js';
import type { Blocked } from '../schema/status-document.js';
import type { Controls } from './controls.js';
import { detailsOf, failureOf, failureTypeOf } from './failures.js';
import type { StepRecorder } from './ledger.js';
import { measureGrowth, probeDelay } from './growing-delay.js';
import { noteBlocked, noteUnblocked, type Noted } from './note.js';

type FailureTypes = ReadonlySet<FailureType>;

/** Problems that need a person. An outage is not among them: the run just waits for its end. */
const BLOCKING: FailureTypes = new Set([
  FailureType.unauthorized,
  FailureType.quotaExceeded,
  FailureType.capacityUnavailable,
  FailureType.outcomeUnknown,
  FailureType.unexpectedResponse,
  FailureType.manifestUnreadable,
  FailureType.removalBlocked,
  FailureType.secretUnavailable,
  FailureType.defect,
]);

export function isBlocking(error: unknown): boolean {
  return typeIn(BLOCKING, error) !== undefined;
}

function typeIn(types: FailureTypes, error: unknown): FailureType | undefined {
  const type = failureTypeOf(error);
  return type !== undefined && types.has(type) ? type : undefined;
}

/** What a block needs of the run. */
export interface Blockable extends Noted {
  readonly prepared: PreparedRun;
  readonly controls: Controls;
}

/** Whether its try has got further than the problem: then the status is not blocked. */
export type Unblock = () => void;

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

/**
 * Runs `attempt`. When it fails with a problem that needs a person, the run parks: its status says why
 * and what to do, and it tries again after `resume`, or by itself from time to time. The failure is
 * thrown instead with `onBlocked: 'fail'`, and when the run is to end.
 * An attempt that goes on for long after its call was taken records it with an `Unblocking` step, or says so itself.
 *
 * @param types the problems that park the run here
 */
export async function parkWhileBlocked<T>(
  run: Blockable,
  attempt: (unblocking: Unblocking, unblock: Unblock) => Promise<T>,
  types = BLOCKING,
): Promise<T> {
  const blocker = {};
  let block: Block | undefined;
  const unblock: Unblock = () => {
    if (block === undefined) return;
    run.ledger.setBlocked(blocker, undefined);
  };
  try {
    for (;;) {
      const growth = measureGrowth();
      // News during a try is meant for the next one: the API may have refused this one before.
      const isNews = block === undefined ? undefined : watchNews(run);
      try {
        return await attempt((step) => unblockingStep(step, unblock), unblock);
      } catch (error) {
        const type = typeIn(types, error);
        if (type === undefined || run.prepared.onBlocked !== 'wait') throw error;
        // The answer arrived together with the request to end the run.
        if (run.controls.endingReason() !== undefined) throw endOf(run, { error, type });
        block = blockedAs({ error, type }, run, block);
        run.controls.noteBlocked();
        const probe = {
          elapsedMs: Date.now() - block.since,
          random: Math.random(),
          events: growth(),
        };
        const waitMs = probeDelay(probe, run.prepared.policy.probeMs);
        run.ledger.setBlocked(blocker, describe(error, { type, since: block.since, waitMs }));
        if (isNews?.(type) !== true) await park(run, { error, type, waitMs });
      }
    }
  } finally {
    run.ledger.setBlocked(blocker, undefined);
    if (block !== undefined) noteUnblocked(block.type, block.since, run);
  }
}

interface Block {
  /** In milliseconds since the epoch. */
  since: number;
  type: FailureType;
}

/** @param before how it was blocked before this try, if it was */
function blockedAs({ error, type }: Problem, run: Blockable, before: Block | undefined): Block {
  if (before !== undefined) return { ...before, type };
  noteBlocked(error, run);
  return { since: Date.now(), type };
}

interface Problem {
  error: unknown;
  type: FailureType;
}

/** Tells whether a person has resumed the run from now on, or replaced the key that was refused. */
function watchNews({ controls }: Blockable): (type: FailureType) => boolean {
  const [resumes, keys] = [controls.resumes(), controls.keysReplaced()];
  return (type) =>
    controls.resumes() > resumes ||
    (type === FailureType.unauthorized && controls.keysReplaced() > keys);
}

/** Returns when it is time to try again; throws when the run is to end instead. */
async function park(run: Blockable, problem: Problem & { waitMs: number }): Promise<void> {
  const { type, waitMs } = problem;
  const isNews = watchNews(run);
  try {
    await run.controls.untilResumed(waitMs, `blocked as ${type}: next try`, () => isNews(type));
  } catch (cancelled) {
    leaveUnclear(run, type);
    throw cancelled;
  }
  if (run.controls.endingReason() !== undefined) throw endOf(run, problem);
}

/** Why the run ends. In a rollback, the problem says why the rollback could not be finished. */
function endOf(run: Blockable, { error, type }: Problem): unknown {
  leaveUnclear(run, type);
  return CancellationScope.current().consideredCancelled ? run.controls.endingReason() : error;
}

/** The run ends while the evidence still contradicts itself: remove nothing on a guess. */
function leaveUnclear({ controls }: Blockable, type: FailureType): void {
  if (type === FailureType.outcomeUnknown) controls.leaveAsIs();
}

function describe(
  error: unknown,
  { type, since, waitMs }: { type: FailureType; since: number; waitMs: number },
): Blocked {
  const cause = failureOf(error);
  const advice = detailsOf(error).advice ?? 'Fix the cause.';
  return {
    type,
    message: withoutAdvice(cause?.message ?? '', advice),
    advice,
    since: isoOf(since),
    nextCheckAt: isoOf(Date.now() + waitMs),
  };
}
