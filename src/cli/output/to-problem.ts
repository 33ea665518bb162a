import { CommanderError } from 'commander';

import { countFaults } from '../../engine/core/first-faults.js';
import { plural } from '../../engine/core/plural.js';
import {
  InvalidInputError,
  NoAnswerError,
  RequestConflictError,
  RunCancelledError,
  RunEndedError,
  RunEndingError,
  RunFailedError,
  RunNotFoundError,
  UpdateRefusedError,
} from '../../client/index.js';
import { DecryptionError } from '../../codec/decryption-error.js';
import { ConfigurationError } from '../../config.js';
import { FailureType, withoutAdvice, type Resource } from '../../contract/index.js';
import { CliError, type Problem } from '../cli-error.js';
import { withCause } from './error-text.js';
import { ExitCode } from '../exit-code.js';
import type { Hint } from '../hint.js';
import { notInstalled } from './not-installed.js';
import { retryProblem } from './retry-problem.js';
import { scheduleProblem } from './schedule-problem.js';
import { temporalProblem } from './temporal-problem.js';

/** Turns any error into a problem with the next step and the exit code. */
export function toProblem(error: unknown, hint: Hint): Problem {
  if (error instanceof CliError) return error.problem;
  if (error instanceof CommanderError) return usageProblem(error, hint);
  return (
    inputProblem(error) ??
    decryptionProblem(error) ??
    runProblem(error, hint) ??
    scheduleProblem(error, hint) ??
    retryProblem(error, hint) ??
    temporalProblem(error) ??
    notInstalled(error) ??
    unexpectedProblem(error)
  );
}

function usageProblem({ message, code }: CommanderError, hint: Hint): Problem {
  return {
    type: 'Usage',
    message: message.replace(/^error: /, '').replace('\n', ' '),
    advice:
      code === 'commander.unknownCommand'
        ? `See all commands: ${hint('--help')}`
        : 'Add --help to the command to see how it is used.',
    exitCode: ExitCode.badInput,
  };
}

function inputProblem(error: unknown): Problem | undefined {
  const exitCode = ExitCode.badInput;
  if (error instanceof InvalidInputError) {
    return {
      type: FailureType.invalidInput,
      message: `The input has ${plural(countFaults(error.faults), 'fault')}.`,
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

function decryptionProblem(error: unknown): Problem | undefined {
  if (!(error instanceof DecryptionError)) return undefined;
  const { message, advice } = error;
  return {
    type: FailureType.decryptionFailed,
    message: withoutAdvice(message, advice),
    advice,
    exitCode: ExitCode.failed,
  };
}

const EXIT_CODE_BY_FAILURE: Readonly<Record<string, ExitCode>> = {
  [FailureType.invalidInput]: ExitCode.badInput,
  [FailureType.unauthorized]: ExitCode.notAuthorised,
  [FailureType.itemsFailed]: ExitCode.someItemsFailed,
};

function runProblem(error: unknown, hint: Hint): Problem | undefined {
  if (error instanceof RunFailedError) return failedProblem(error);
  if (error instanceof RunCancelledError)
    return toCancelled({ workflowId: error.workflowId, resources: [] }, hint);
  if (error instanceof RequestConflictError) return conflictProblem(error, hint);
  return updateProblem(error, hint);
}

function conflictProblem({ workflowId, state, paths }: RequestConflictError, hint: Hint): Problem {
  const has = state === 'open' ? 'is open' : 'has succeeded';
  return {
    type: 'RequestConflict',
    message: `The run of this request ${has} with another input. Nothing was started.`,
    advice: `Use another --request-id for the new input, or repeat the first input. To take the run as it is, add --join. To see it: ${hint('explain', workflowId)}`,
    exitCode: ExitCode.conflict,
    workflowId,
    faults: paths.map((path) => ({ path, message: 'differs' })),
  };
}

/** An update that did not reach its run, or was refused. */
function updateProblem(error: unknown, hint: Hint): Problem | undefined {
  const exitCode = ExitCode.failed;
  if (error instanceof RunEndedError) {
    const { message, workflowId } = error;
    const advice = `See how it ended: ${hint('explain', workflowId)}`;
    return { type: 'RunEnded', message, advice, exitCode, workflowId };
  }
  if (error instanceof RunEndingError) {
    const { message, advice, workflowId } = error;
    const see = `See what it waits for: ${hint('explain', workflowId)}. Then run the command again.`;
    return {
      type: 'RunEnding',
      message: withoutAdvice(message, advice),
      advice: see,
      exitCode,
      workflowId,
    };
  }
  if (error instanceof RunNotFoundError) {
    const { workflowId } = error;
    const message = `There is no run "${workflowId}" in this namespace.`;
    const advice = `Find the right id: ${hint('list')}. Check the namespace.`;
    return { type: 'RunNotFound', message, advice, exitCode, workflowId };
  }
  if (error instanceof UpdateRefusedError) {
    const { type, message, workflowId } = error;
    const advice = `Nothing was changed. See where the run is: ${hint('explain', workflowId)}`;
    return { type, message, advice, exitCode, workflowId };
  }
  if (!(error instanceof NoAnswerError)) return undefined;
  const { message, workflowId, mayStillCome } = error;
  const advice = mayStillCome
    ? `Check whether it arrived: ${hint('explain', workflowId)}`
    : `Start a worker (${hint('worker')}), then repeat the command. To see why no worker answers: ${hint('explain', workflowId)}`;
  return { type: 'NoAnswer', message, advice, exitCode, workflowId };
}

/** A cancelled run. `resources` are those that it kept or could not remove. */
export function toCancelled(
  { workflowId, resources }: { workflowId: string; resources: Resource[] },
  hint: Hint,
): Problem {
  return {
    type: 'Cancelled',
    message: 'The run was cancelled.',
    advice: `See what it has left: ${hint('explain', workflowId)}. You may start the same request again.`,
    exitCode: ExitCode.cancelled,
    workflowId,
    ...(resources.length === 0 ? {} : { details: { resources } }),
  };
}

function failedProblem({ type, message, details, workflowId }: RunFailedError): Problem {
  const { advice = 'Read the cause in the history of the run.', faults } = details;
  return {
    type,
    message: withoutAdvice(firstLine(message, faults), advice),
    advice,
    exitCode: EXIT_CODE_BY_FAILURE[type] ?? ExitCode.failed,
    workflowId,
    ...(faults === undefined ? {} : { faults }),
    details,
  };
}

/** Without the faults, which the problem lists on their own. */
function firstLine(message: string, faults: Problem['faults']): string {
  return faults === undefined ? message : (message.split('\n')[0] ?? message).replace(/:$/, '.');
}

function unexpectedProblem(error: unknown): Problem {
  return {
    type: 'Unexpected',
    message: withCause(error),
    advice: 'Repeat the command; that is safe. If the error stays, report it with this message.',
    exitCode: ExitCode.failed,
  };
}
