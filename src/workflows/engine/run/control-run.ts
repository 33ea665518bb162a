import {
  workflowInfo,
  type ApplicationFailure,
  type CancellationScope,
} from '@temporalio/workflow';

import type { PreparedRun } from '../../../contract/prepared/prepared-run.js';
import { FailureType } from '../../../contract/failures.js';
import { isoOf } from '../../../contract/iso-of.js';
import { createControls, type Controls } from './controls.js';
import { failure } from './failures.js';
import type { Ledger, RunSteps } from './ledger.js';
import { refusePlan } from './refuse-plan.js';

/** What an operation says of itself. */
export interface OperationRun<P, I> extends RunSteps {
  input: I;
  prepare: (input: unknown) => Promise<P>;
  /** The body only makes a plan; see engine/plan-or-run. */
  isPlan?: boolean;
  /** What a corrected input would change that a run cannot change, such as `account`. */
  whyAnother?: (before: P, corrected: P) => string | undefined;
}

/** What an operator's words may change while a run is at it. */
export interface State<P, I> {
  input: I;
  prepared: P | undefined;
}

/** Lets operators into a run: what they say changes its scope, its ledger, its input. */
export function controlRun<P extends PreparedRun, I>(
  operated: OperationRun<P, I>,
  { state, ledger, scope }: { state: State<P, I>; ledger: Ledger; scope: CancellationScope },
): Controls {
  const { prepare, whyAnother } = operated;
  const isInput = (input: unknown): input is I => input instanceof Object;
  return createControls({
    onEnding: () => {
      scope.cancel();
    },
    onPaused: (isPaused) => {
      ledger.setPaused(isPaused);
    },
    document: () => ledger.document(),
    whyTooLate: () => ledger.whyTooLate(),
    correct: async (input) => {
      const plan = await prepare(input);
      refusePlan(plan, operated);
      if (!isInput(input) || plan.account !== state.prepared?.account) throw otherRun('account');
      const other = whyAnother?.(state.prepared, plan);
      if (other !== undefined) throw otherRun(other);
      state.input = input;
      state.prepared = { ...plan, policy: state.prepared.policy };
      ledger.setDeadline(deadlineIso(plan));
    },
    deadlineAt: () => deadlineOf(state.prepared),
  });
}

function otherRun(what: string): ApplicationFailure {
  return failure(FailureType.refused, `A run cannot change its ${what}.`, {
    advice: 'Abort this run and start another one.',
  });
}

function deadlineOf(plan: PreparedRun | undefined): number | undefined {
  if (plan?.deadlineMs === undefined) return undefined;
  return workflowInfo().startTime.getTime() + plan.deadlineMs;
}

/** The deadline as the status document shows it. */
export function deadlineIso(plan: PreparedRun): string | undefined {
  const deadline = deadlineOf(plan);
  return deadline === undefined ? undefined : isoOf(deadline);
}
