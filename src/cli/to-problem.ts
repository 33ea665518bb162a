import { isGrpcServiceError } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { CommanderError } from 'commander';

import {
  InvalidInputError,
  RunCancelledError,
  RunFailedError,
  RunEndedError,
  RunNotFoundError,
} from '../client/index.js';
import { ConfigurationError } from '../config.js';
import { FailureType, type Resource } from '../contract/index.js';
import { CliError, type Problem } from './cli-error.js';
import { messageOf } from './error-text.js';
import { ExitCode } from './exit-code.js';

/** Any error in the words of a person, with the next action and the exit code. */
export function toProblem(error: unknown): Problem {
  if (error instanceof CliError) return error.problem;
  if (error instanceof CommanderError) return usageProblem(error);
  return inputProblem(error) ?? runProblem(error) ?? temporalProblem(error) ?? defect(error);
}

function usageProblem({ message }: CommanderError): Problem {
  return {
    type: 'Usage',
    message: message.replace(/^error: /, ''),
    advice: 'Add --help to the command to see how it is used.',
    exitCode: ExitCode.badInput,
  };
}

function inputProblem(error: unknown): Problem | undefined {
  const exitCode = ExitCode.badInput;
  if (error instanceof InvalidInputError) {
    return {
      type: FailureType.invalidInput,
      message: `The input has ${error.faults.length} fault(s).`,
      advice: 'Correct them and run the command again; nothing was sent.',
      exitCode,
      faults: error.faults,
    };
  }
  if (error instanceof ConfigurationError) {
    const advice = 'Correct the named settings and run the command again.';
    return { type: 'Configuration', message: error.message, advice, exitCode };
  }
  return undefined;
}

const EXIT_CODE_BY_FAILURE: Readonly<Record<string, ExitCode>> = {
  [FailureType.invalidInput]: ExitCode.badInput,
  [FailureType.unauthorized]: ExitCode.notAuthorised,
  [FailureType.itemsFailed]: ExitCode.someItemsFailed,
};

function runProblem(error: unknown): Problem | undefined {
  if (error instanceof RunFailedError) return failedProblem(error);
  if (error instanceof RunCancelledError) return toCancelled(error.workflowId, []);
  if (error instanceof RunEndedError) {
    return {
      type: 'RunEnded',
      message: error.message,
      advice:
        'Look at what it came to: gcore-workflows result ID. To remove what it made, delete it.',
      exitCode: ExitCode.failed,
      workflowId: error.workflowId,
    };
  }
  if (error instanceof RunNotFoundError) {
    return {
      type: 'RunNotFound',
      message: `There is no run "${error.workflowId}" in this namespace.`,
      advice: 'Look for the id with the command list; is the namespace the right one?',
      exitCode: ExitCode.failed,
      workflowId: error.workflowId,
    };
  }
  return undefined;
}

/** A run that ended as cancelled; `resources` are what it left on purpose or could not remove. */
export function toCancelled(workflowId: string, resources: Resource[]): Problem {
  return {
    type: 'Cancelled',
    message: 'The run was cancelled.',
    advice: 'Nothing; the same request may be started again.',
    exitCode: ExitCode.cancelled,
    workflowId,
    ...(resources.length === 0 ? {} : { details: { resources } }),
  };
}

function failedProblem({ type, message, details, workflowId }: RunFailedError): Problem {
  const { advice = 'Read the cause in the history of the run.', faults } = details;
  return {
    type,
    message: firstWords(message, faults).replace(advice, '').replace(/ {2,}/g, ' ').trim(),
    advice,
    exitCode: EXIT_CODE_BY_FAILURE[type] ?? ExitCode.failed,
    workflowId,
    ...(faults === undefined ? {} : { faults }),
    details,
  };
}

/** The message of a failure repeats advice and faults, for readers who see nothing else; here they follow. */
function firstWords(message: string, faults: Problem['faults']): string {
  return faults === undefined ? message : (message.split('\n')[0] ?? message).replace(/:$/, '.');
}

const GRPC_DEADLINE_EXCEEDED = 4;
const GRPC_PERMISSION_DENIED = 7;
const GRPC_RESOURCE_EXHAUSTED = 8;
const GRPC_UNAVAILABLE = 14;
const GRPC_UNAUTHENTICATED = 16;

const TRANSIENT: ReadonlySet<number> = new Set([
  GRPC_DEADLINE_EXCEEDED,
  GRPC_RESOURCE_EXHAUSTED,
  GRPC_UNAVAILABLE,
]);

function grpcCodeOf(error: unknown): number | undefined {
  if (isGrpcServiceError(error)) return error.code;
  return error instanceof Error && error.cause !== undefined ? grpcCodeOf(error.cause) : undefined;
}

/** The Temporal server is away or overloaded: asking again later may succeed. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.has(grpcCodeOf(error) ?? -1);
}

function temporalProblem(error: unknown): Problem | undefined {
  if (error instanceof NamespaceNotFoundError) {
    return {
      type: 'NamespaceNotFound',
      message: `${error.message}.`,
      advice: 'Name another with --namespace or TEMPORAL_NAMESPACE, or create it.',
      exitCode: ExitCode.failed,
    };
  }
  const code = grpcCodeOf(error);
  if (code === GRPC_UNAUTHENTICATED || code === GRPC_PERMISSION_DENIED) {
    return {
      type: FailureType.unauthorized,
      message: `The Temporal server refuses this client: ${withCause(error)}`,
      advice: 'Check TEMPORAL_API_KEY, or the TLS certificate, and the namespace.',
      exitCode: ExitCode.notAuthorised,
    };
  }
  return isTransient(error)
    ? {
        type: 'TemporalUnreachable',
        message: `The Temporal server does not answer: ${withCause(error)}`,
        advice: 'Run the command again when the server is back; repeating it is safe.',
        exitCode: ExitCode.failed,
      }
    : undefined;
}

function defect(error: unknown): Problem {
  return {
    type: 'Unexpected',
    message: withCause(error),
    advice: 'Repeating the command is safe. If it stays, report it with this message.',
    exitCode: ExitCode.failed,
  };
}

function withCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`;
}
