import { FailureType, type FailureDetails, type Fault } from '../contract/failures.js';
import { formatFaults } from '../contract/parse-input.js';

/** Thrown before anything is sent: the input breaks the schema or a rule. Every fault is listed. */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(`The input has ${faults.length} fault(s):\n${formatFaults(faults)}`);
    this.faults = faults;
  }
}

/** Thrown by `result` when the run failed: its failure type, and what exists and what to do. */
export class RunFailedError extends Error {
  override readonly name = 'RunFailedError';
  readonly workflowId: string;
  /** One of `FailureType`, or Temporal's own word for a run that was terminated or timed out. */
  readonly type: string;
  readonly details: Partial<FailureDetails>;

  constructor(workflowId: string, failed: RunFailure) {
    super(failed.message);
    this.workflowId = workflowId;
    this.type = failed.type;
    this.details = failed.details;
  }
}

export interface RunFailure {
  type: string;
  message: string;
  details: Partial<FailureDetails>;
}

/** Thrown by `result` when the run was cancelled; what it had created was removed unless asked otherwise. */
export class RunCancelledError extends Error {
  override readonly name = 'RunCancelledError';
  readonly workflowId: string;

  constructor(workflowId: string) {
    super(`The run ${workflowId} was cancelled.`);
    this.workflowId = workflowId;
  }
}

/** Thrown when no run has this Workflow Id in this namespace (or its retention has passed). */
export class RunNotFoundError extends Error {
  override readonly name = 'RunNotFoundError';
  readonly workflowId: string;

  constructor(workflowId: string) {
    super(
      `There is no run "${workflowId}" in this namespace: check the id (gcore-workflows list) and the namespace.`,
    );
    this.workflowId = workflowId;
  }
}

/** Thrown by `cancel`, `pause`, `resume` and `abort` when the run has ended already. */
export class RunEndedError extends Error {
  override readonly name = 'RunEndedError';
  readonly workflowId: string;

  constructor(workflowId: string, state: string) {
    super(`The run ${workflowId} has ended already (${state}).`);
    this.workflowId = workflowId;
  }
}

/** What an operator says to a run. */
export type RunUpdateName = 'pause' | 'resume' | 'abort' | 'extend' | 'restore';

/** Thrown when a run does not take an operator's word, because it does not fit; nothing was changed. */
export class UpdateRefusedError extends Error {
  override readonly name = 'UpdateRefusedError';
  readonly type = FailureType.refused;
  readonly workflowId: string;
  readonly details: Partial<FailureDetails>;

  constructor(workflowId: string, refusal: { message: string; details: Partial<FailureDetails> }) {
    super(refusal.message);
    this.workflowId = workflowId;
    this.details = refusal.details;
  }
}

export interface NoAnswer {
  word: RunUpdateName;
  waitedMs: number;
  /** The word has reached the Temporal server: a worker that comes later may still take it. */
  mayStillCome: boolean;
}

/** Thrown when no worker answers for the run. The run itself is safe. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly workflowId: string;
  readonly mayStillCome: boolean;

  constructor(workflowId: string, { word, waitedMs, mayStillCome }: NoAnswer) {
    const within = `within ${waitedMs / 1000} s`;
    super(
      mayStillCome
        ? `"${word}" was sent, but no worker has taken it ${within}. One that comes later may still do so.`
        : `No worker has answered for the run ${within}, so "${word}" was not sent: nothing was changed.`,
    );
    this.workflowId = workflowId;
    this.mayStillCome = mayStillCome;
  }
}
