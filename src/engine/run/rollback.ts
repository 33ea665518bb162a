import { isCancellation, sleep, TemporalFailure } from '@temporalio/workflow';

import type { Product } from '../core/product.js';
import type { PreparedRun } from '../core/prepared-run.js';
import { FailureType } from '../core/failures.js';
import { Phase, StepState, type Resource } from '../core/status.js';
import { isBlocking } from './park-while-blocked.js';
import type { Controls } from './controls.js';
import { failureOf, failureTypeOf } from './failures.js';
import type { Ledger, StepRecorder } from './ledger.js';
import { noteRemoved } from './note.js';
import { publish } from './publish.js';

export interface Rollback {
  /** Removes what the step made and verifies that it is gone, or restores what it changed. Left out of what stays in any case. */
  undo?(): Promise<void>;
  /** The note for the step afterwards. Default: removed, and verified as gone. */
  note?: string;
  /** What the step made and what still exists. Called when it is kept. */
  inventory(): Promise<Resource[]>;
}

export interface RegisteredRollback {
  /** Call it when the mutation has certainly not happened. */
  dismiss(): void;
}

export interface RollbackEntry {
  step: StepRecorder;
  rollback: Rollback;
}

export function registerRollback(
  rollbacks: RollbackEntry[],
  entry: RollbackEntry,
): RegisteredRollback {
  rollbacks.push(entry);
  return {
    dismiss: () => {
      const at = rollbacks.indexOf(entry);
      if (at >= 0) rollbacks.splice(at, 1);
    },
  };
}

/** Why nothing is removed; `undefined` when it is. A person has to look at contradicting evidence. */
export function reasonToKeep(
  error: TemporalFailure,
  { prepared, controls }: { prepared: PreparedRun | undefined; controls: Controls },
): string | undefined {
  if (prepared?.onFailure === 'keep') return 'kept, as onFailure asks';
  const isContradiction = failureTypeOf(error) === FailureType.outcomeUnknown;
  return isContradiction || controls.isLeftAsIs()
    ? 'kept: the evidence contradicts itself, so the run removes nothing'
    : undefined;
}

interface Unwind {
  ledger: Ledger;
  product: Product;
  rollbacks: readonly RollbackEntry[];
  prepared: PreparedRun | undefined;
  keep: string | undefined;
}

/** Undoes or keeps the steps, the last one first. A step that cannot be undone does not stop the others. */
export async function unwind(unwinding: Unwind): Promise<void> {
  const { ledger, product, rollbacks, prepared, keep } = unwinding;
  if (rollbacks.length === 0 || prepared === undefined) return;
  const undone = rollbacks.filter(({ rollback }) => rollback.undo !== undefined);
  if (keep === undefined && undone.length > 0) {
    closeOthers(
      ledger,
      undone.map(({ step }) => step),
    );
    ledger.setPhase(Phase.rollingBack);
    publish(prepared, unwinding);
  }
  const failed: Failed = new Map();
  for (const entry of [...rollbacks].reverse()) {
    const before = ledger.resources();
    await unwindStep(entry, { prepared, keep, failed });
    if (keep === undefined) noteRemoved(before, { ledger, product });
  }
}

/** Why a step could not be undone, by its name. It may have another rollback, of an earlier round: that undoes not all of it. */
type Failed = Map<string, string>;

/** Closes the open steps that a rollback does not undo: they do not go on. */
export function closeOthers(ledger: Ledger, undone: readonly StepRecorder[]): void {
  const names = new Set(undone.map(({ name }) => name));
  for (const { name, state, startedAt, endedAt } of ledger.document().steps) {
    const isOpen = startedAt !== undefined && endedAt === undefined;
    if (!isOpen || names.has(name) || state === StepState.outcomeUnknown) continue;
    ledger
      .step(name)
      .set(StepState.failed, { note: 'not done when the run began to undo its work' });
  }
}

/** About a minute with the pauses between them: a rollback survives a passing fault of the API. */
const MAX_TRIES = 5;

async function unwindStep(
  { step, rollback }: RollbackEntry,
  { prepared, keep, failed }: { prepared: PreparedRun; keep: string | undefined; failed: Failed },
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await unwindOnce({ step, rollback }, keep);
      const note = failed.get(step.name);
      if (note !== undefined) step.set(StepState.outcomeUnknown, { note });
      return;
    } catch (error) {
      if (!(error instanceof TemporalFailure)) throw error;
      if (isPointless(error, tries)) {
        const reason = failureOf(error)?.message ?? error.message;
        const what = rollback.undo === undefined ? 'listed' : 'undone';
        const note = `could not be ${what}: ${reason}`;
        failed.set(step.name, note);
        // Nobody knows now what is left of it.
        step.set(StepState.outcomeUnknown, { note });
        return;
      }
      await sleep(prepared.policy.poll.minMs * 2 ** tries, { summary: 'next try of the rollback' });
    }
  }
}

async function unwindOnce(
  { step, rollback }: RollbackEntry,
  keep: string | undefined,
): Promise<void> {
  if (keep === undefined && rollback.undo !== undefined) {
    await rollback.undo();
    const { note = 'removed, and verified as gone' } = rollback;
    step.set(StepState.undone, { resources: [], note });
    return;
  }
  const resources = await rollback.inventory();
  // What only names tells of a step nothing that it has not found.
  if (rollback.undo === undefined && resources.length === 0) return;
  if (rollback.undo === undefined && step.state === StepState.outcomeUnknown) {
    step.set(step.state, { resources });
    return;
  }
  const note = rollback.undo === undefined ? rollback.note : keep;
  step.set(StepState.kept, { resources, ...(note !== undefined && { note }) });
}

/** Another try does not help where a person is needed, or has ended what was to undo it. */
function isPointless(error: TemporalFailure, tries: number): boolean {
  const isEnded = isCancellation(error) || failureTypeOf(error) === FailureType.aborted;
  return isEnded || isBlocking(error) || tries >= MAX_TRIES;
}
