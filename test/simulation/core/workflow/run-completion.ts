import proto from '@temporalio/proto';
import type { coresdk, temporal } from '@temporalio/proto';

import type {
  Activation,
  Command,
  CompletedMetadata,
  Failure,
  LangCommand,
  Message,
  QueryResult,
} from '../messages.js';
import { MachineError } from '../machines/machine.js';
import { EvictionReasons, type EvictionReason } from './tasks.js';

const { WorkflowTaskFailedCause } = proto.temporal.api.enums.v1;

export type FailedCause = temporal.api.enums.v1.WorkflowTaskFailedCause;
export type VersioningBehavior = temporal.api.enums.v1.VersioningBehavior;

/** What is to be done next for a run. */
export type Action =
  | { kind: 'activation'; activation: Activation }
  /** Nothing for lang: the completion of an activation that it never got. */
  | { kind: 'autocomplete'; runId: string }
  | { kind: 'autofail'; runId: string; error: MachineError };

/** What the server is to be told after a completion. */
export type Outcome =
  | { kind: 'nothing' }
  /** The task failed, and is dropped without a word. */
  | { kind: 'drop' }
  | { kind: 'query'; taskToken: Uint8Array; result: QueryResult }
  | { kind: 'failQuery'; taskToken: Uint8Array; failure: Failure | null; cause: FailedCause }
  | { kind: 'fail'; taskToken: Uint8Array; failure: Failure | null; cause: FailedCause }
  | {
      kind: 'success';
      taskToken: Uint8Array;
      commands: Command[];
      messages: Message[];
      queryResults: QueryResult[];
      forcesNewTask: boolean;
      metadata: CompletedMetadata;
      versioningBehavior: VersioningBehavior;
    };

/** What lang has answered to an activation, or core in its place. */
export type Completion =
  | {
      kind: 'success';
      runId: string;
      commands: LangCommand[];
      usedFlags: number[];
      versioningBehavior: VersioningBehavior;
    }
  | { kind: 'failed'; runId: string; failure: Failure | null; cause: FailedCause; isAuto: boolean };

export function readCompletion(
  message: coresdk.workflow_completion.IWorkflowActivationCompletion,
): Completion {
  const runId = message.runId ?? '';
  const { successful, failed } = message;
  if (failed) {
    const cause =
      failed.forceCause ?? WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNSPECIFIED;
    return { kind: 'failed', runId, failure: failed.failure ?? null, cause, isAuto: false };
  }
  return {
    kind: 'success',
    runId,
    commands: successful?.commands ?? [],
    usedFlags: successful?.usedInternalFlags ?? [],
    versioningBehavior: successful?.versioningBehavior ?? 0,
  };
}

export interface Sequence {
  commands: LangCommand[];
  queryResults: QueryResult[];
}

function isTerminal(command: LangCommand): boolean {
  return Boolean(
    command.completeWorkflowExecution ??
    command.failWorkflowExecution ??
    command.cancelWorkflowExecution ??
    command.continueAsNewWorkflowExecution,
  );
}

/**
 * Answers to queries apart, and the command that ends the run last: the others were given in the same activation and count,
 * even those behind it. Runs of an older core cut them off.
 */
export function orderCommands(commands: readonly LangCommand[], cutsOff: boolean): Sequence {
  const queryResults: QueryResult[] = [];
  const others: LangCommand[] = [];
  for (const command of commands) {
    if (command.respondToQuery) queryResults.push(command.respondToQuery);
    else others.push(command);
  }
  const end = others.findIndex(isTerminal);
  const terminal = others[end];
  if (terminal === undefined) return { commands: others, queryResults };
  const before = cutsOff ? others.slice(0, end) : others.filter((command) => !isTerminal(command));
  return { commands: [...before, terminal], queryResults };
}

export function evictionReasonOf(error: MachineError): EvictionReason {
  return error.kind === 'nondeterminism' ? EvictionReasons.NONDETERMINISM : EvictionReasons.FATAL;
}

export function causeOf(error: MachineError): FailedCause {
  return error.kind === 'nondeterminism'
    ? WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR
    : WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE;
}

export function isNondeterminism(cause: FailedCause): boolean {
  return cause === WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR;
}

/** Lang mostly leaves the cause to core. */
export function orUnhandled(cause: FailedCause): FailedCause {
  return cause === WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNSPECIFIED
    ? WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE
    : cause;
}

export function applicationFailure(message: string, nonRetryable: boolean): Failure {
  return { message, applicationFailureInfo: { nonRetryable } };
}

/** Faults of the simulation are not faults of a workflow. */
export function toMachineError(error: unknown): MachineError {
  if (error instanceof MachineError) return error;
  throw error;
}
