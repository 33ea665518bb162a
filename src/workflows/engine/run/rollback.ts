import { patched, sleep, TemporalFailure } from '@temporalio/workflow';

import type { PreparedRun } from '../../../contract/prepared/prepared-run.js';
import { FailureType } from '../../../contract/failures.js';
import { Phase, StepState } from '../../../contract/status.js';
import type { Resource } from '../../../contract/resource.js';
import { isBlocking } from './park-while-blocked.js';
import type { Controls } from './controls.js';
import { failureOf, failureTypeOf } from './failures.js';
import type { Ledger, StepRecorder } from './ledger.js';
import { Patch } from './patches.js';
import { publish } from './publish.js';

export interface Rollback {
  /** Removes what the step made and verifies that it is gone, or puts back what it changed. */
  undo(): Promise<void>;
  /** What to say of it then, if nothing was removed. */
  note?: string;
  /** What the step made and what still exists: asked where it is kept, or could not be undone. */
  inventory(): Promise<Resource[]>;
}

export interface RegisteredRollback {
  /** The mutation is known not to have happened. */
  dismiss(): void;
}

export interface Registered {
  step: StepRecorder;
  rollback: Rollback;
}

export function register(rollbacks: Registered[], entry: Registered): RegisteredRollback {
  rollbacks.push(entry);
  return {
    dismiss: () => {
      rollbacks.splice(rollbacks.indexOf(entry), 1);
    },
  };
}

/** Why nothing is removed, if that is so. Contradicting evidence is for a person to look at. */
export function reasonToKeep(
  error: TemporalFailure,
  { plan, controls }: { plan: PreparedRun | undefined; controls: Controls },
): string | undefined {
  if (plan?.onFailure === 'keep') return 'kept, as onFailure asks';
  const isContradiction = failureTypeOf(error) === FailureType.outcomeUnknown;
  return isContradiction || controls.isLeftAsIs()
    ? 'kept: what exists contradicts itself, so nothing is guessed'
    : undefined;
}

interface Unwinding {
  ledger: Ledger;
  rollbacks: readonly Registered[];
  plan: PreparedRun | undefined;
  keep: string | undefined;
}

/** Undoes, or keeps, in reverse order. What cannot be undone is named; it does not stop the rest. */
export async function unwind(unwinding: Unwinding): Promise<void> {
  const { ledger, rollbacks, plan, keep } = unwinding;
  if (rollbacks.length === 0 || plan === undefined) return;
  if (keep === undefined) ledger.setPhase(Phase.rollingBack);
  publish(plan, ledger);
  for (const entry of [...rollbacks].reverse()) await unwindStep(entry, { plan, keep });
}

/** With the pauses between them about a minute: a rollback outlives a mistake of the API. */
const TRIES = 5;

async function unwindStep(
  { step, rollback }: Registered,
  { plan, keep }: { plan: PreparedRun; keep: string | undefined },
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      if (keep === undefined) {
        await rollback.undo();
        const { note = 'removed, and verified as gone' } = rollback;
        step.set(StepState.undone, { resources: [], note });
      } else {
        const resources = await rollback.inventory();
        step.set(StepState.kept, { resources, note: keep });
      }
      return;
    } catch (error) {
      if (!(error instanceof TemporalFailure)) throw error;
      if (isInVain(error, tries)) {
        const reason = failureOf(error)?.message ?? error.message;
        step.set(StepState.failed, { note: `could not be undone: ${reason}` });
        return;
      }
      await sleep(plan.policy.poll.minMs * 2 ** tries, { summary: 'the rollback is tried again' });
    }
  }
}

/** What a person has to mend is not mended by another try. */
function isInVain(error: TemporalFailure, tries: number): boolean {
  return isBlocking(error) || tries >= TRIES || !patched(Patch.thoroughRemoval);
}
