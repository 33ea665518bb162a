import { SearchAttributeType, defineSearchAttributeKey } from '@temporalio/common';
import {
  ApplicationFailure,
  CancellationScope,
  TemporalFailure,
  isCancellation,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';

import type { PreparedRun } from '../../activities/prepare.js';
import { FailureType, type FailureDetails } from '../../contract/failures.js';
import { statusQuery } from '../../contract/messages.js';
import { SearchAttribute, type Operation } from '../../contract/names.js';
import { Phase, StepState } from '../../contract/status.js';
import type { Resource } from '../../contract/status-document.js';
import { apiOf, type Api } from './api.js';
import { toMarkdown } from './current-details.js';
import { detailsOf, failureOf, failureTypeOf } from './failures.js';
import { createLedger, type Ledger, type StepRecorder } from './ledger.js';
import type { TaskOutcome } from './wait-for-tasks.js';

/** What a workflow body works with. */
export interface Run<P extends PreparedRun = PreparedRun> {
  readonly plan: P;
  readonly api: Api;
  readonly ledger: Ledger;
  /** The tasks waited for so far: since when, and how they ended. */
  readonly tasks: Map<string, { since: number; outcome?: TaskOutcome | undefined }>;
  /** Runs, newest first, when the run fails or is cancelled. Register before the mutation it undoes. */
  onRollback(step: StepRecorder, rollback: Rollback): RegisteredRollback;
}

export interface Rollback {
  /** Removes what the step made and verifies that it is gone. */
  undo(): Promise<void>;
  /** What the step made and what still exists: asked where it is kept, or could not be undone. */
  inventory(): Promise<Resource[]>;
}

export interface RegisteredRollback {
  /** The mutation is known not to have happened. */
  dismiss(): void;
}

interface Operated<P> {
  operation: Operation;
  /** Names of the steps, in order: what a person sees before anything has happened. */
  steps: readonly string[];
  prepare: () => Promise<P>;
}

/**
 * Runs a workflow body with all that every operation has in common: the status query, the current
 * details of the Temporal UI, search attributes, rollback, one failure with its details.
 */
export async function runOperation<P extends PreparedRun, R>(
  { operation, steps, prepare }: Operated<P>,
  body: (run: Run<P>) => Promise<R>,
): Promise<R> {
  const ledger = createLedger(operation, steps, (status) => {
    setCurrentDetails(toMarkdown(status));
  });
  setHandler(statusQuery, () => ledger.document());
  const rollbacks: Registered[] = [];
  let plan: P | undefined;
  try {
    plan = await prepare();
    publish(plan, ledger);
    const result = await body({
      plan,
      api: apiOf(plan.account),
      ledger,
      tasks: new Map(),
      onRollback: (step, rollback) => register(rollbacks, { step, rollback }),
    });
    finish(Phase.succeeded, plan, ledger);
    return result;
  } catch (error) {
    // Anything else is a defect of the code: the task is retried until a fixed worker takes it.
    if (!(error instanceof TemporalFailure)) throw error;
    ledger.setWaiting(undefined);
    const keep = reasonToKeep(error, plan);
    await CancellationScope.nonCancellable(() => unwind({ ledger, rollbacks, plan, keep }));
    finish(isCancellation(error) ? Phase.cancelled : Phase.failed, plan, ledger);
    throw isCancellation(error) ? error : toRunFailure(error, operation, ledger);
  }
}

interface Registered {
  step: StepRecorder;
  rollback: Rollback;
}

function register(rollbacks: Registered[], entry: Registered): RegisteredRollback {
  rollbacks.push(entry);
  return {
    dismiss: () => {
      rollbacks.splice(rollbacks.indexOf(entry), 1);
    },
  };
}

/** Why nothing is removed, if that is so. Contradicting evidence is for a person to look at. */
function reasonToKeep(error: TemporalFailure, plan: PreparedRun | undefined): string | undefined {
  if (plan?.onFailure === 'keep') return 'kept, as onFailure asks';
  const isContradiction = failureTypeOf(error) === FailureType.outcomeUnknown;
  return isContradiction
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
async function unwind({ ledger, rollbacks, plan, keep }: Unwinding): Promise<void> {
  if (rollbacks.length === 0 || plan === undefined) return;
  if (keep === undefined) ledger.setPhase(Phase.rollingBack);
  publish(plan, ledger);
  for (const { step, rollback } of [...rollbacks].reverse()) {
    try {
      if (keep === undefined) {
        await rollback.undo();
        step.set(StepState.undone, { resources: [], note: 'removed, and verified as gone' });
      } else {
        const resources = await rollback.inventory();
        step.set(StepState.kept, { resources, note: keep });
      }
    } catch (error) {
      if (!(error instanceof TemporalFailure)) throw error;
      const reason = failureOf(error)?.message ?? error.message;
      step.set(StepState.failed, { note: `could not be undone: ${reason}` });
    }
  }
}

function finish(phase: Phase, plan: PreparedRun | undefined, ledger: Ledger): void {
  ledger.setWaiting(undefined);
  ledger.setPhase(phase);
  if (plan !== undefined) publish(plan, ledger);
}

const PHASE = defineSearchAttributeKey(SearchAttribute.phase, SearchAttributeType.KEYWORD);
const ACCOUNT = defineSearchAttributeKey(SearchAttribute.account, SearchAttributeType.KEYWORD);
const RESOURCE_ID = defineSearchAttributeKey(
  SearchAttribute.resourceId,
  SearchAttributeType.KEYWORD_LIST,
);

/** Search attributes cost an event each time, so they follow phases, not every wait. */
function publish(plan: PreparedRun, ledger: Ledger): void {
  if (!plan.policy.searchAttributes) return;
  upsertSearchAttributes([
    { key: PHASE, value: ledger.document().phase },
    { key: ACCOUNT, value: plan.account },
    { key: RESOURCE_ID, value: ledger.resources().map((resource) => resource.id) },
  ]);
}

/** The run's one failure: the cause's type and words, with what this run knows added. */
function toRunFailure(error: unknown, operation: Operation, ledger: Ledger): ApplicationFailure {
  const cause = failureOf(error);
  const resources = ledger.resources();
  const step = ledger.currentStep();
  const left = resources.map(({ kind, id }) => `${kind} ${id}`).join(', ');
  return ApplicationFailure.create({
    ...(typeof cause?.type === 'string' ? { type: cause.type } : {}),
    nonRetryable: true,
    message: `${cause?.message ?? String(error)}${left === '' ? '' : ` Still there: ${left}.`}`,
    details: [
      {
        advice: 'Read the cause in the history of the run.',
        ...detailsOf(error),
        operation,
        ...(step === undefined ? {} : { step }),
        resources,
      } satisfies FailureDetails,
    ],
  });
}
