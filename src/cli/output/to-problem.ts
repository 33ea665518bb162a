import { toKnownError } from '../../client/error-table.js';
import type { ErrorKind, ErrorOf, KnownError } from '../../client/known-error.js';
import type { NoAnswerError, RetryRefusedError, RunCancelledError } from '../../client/index.js';
import { ConfigurationError } from '../../config.js';
import { FailureType, type Resource } from '../../contract/index.js';
import { KEPT_DAYS } from '../../contract/wire/uploads.js';
import { CliError, ExitCode, type Problem, type Hint } from '../cli-error.js';
import { withCause, notInstalled } from './error-text.js';

/** Turns any error into a problem with the next step and the exit code. */
export function toProblem(error: unknown, hint: Hint): Problem {
  if (error instanceof CliError) return error.problem;
  const known = toKnownError(error);
  if (known !== undefined) return knownProblem(known, hint);
  return configurationProblem(error) ?? notInstalled(error) ?? unexpectedProblem(error);
}

/** What the command line adds to what every surface says of an error. */
interface Dress<K extends ErrorKind> {
  exitCode: ExitCode;
  type?: string;
  /** With the command to paste next. */
  advise?: (error: ErrorOf[K], hint: Hint) => string | undefined;
  /** For whoever sits at the terminal: with the cause. */
  say?: (error: ErrorOf[K]) => string;
}

const DRESSES: { readonly [K in ErrorKind]: Dress<K> } = {
  InvalidInput: {
    exitCode: ExitCode.badInput,
    advise: () => 'Correct them and run the command again.',
  },
  RequestConflict: {
    exitCode: ExitCode.conflict,
    advise: ({ workflowId }, hint) =>
      `Use another --request-id for the new input, or repeat the first input. To take the run as it is, add --join. To see it: ${hint('explain', workflowId)}`,
  },
  RunEnding: {
    exitCode: ExitCode.failed,
    advise: ({ workflowId }, hint) =>
      `See what it waits for: ${hint('explain', workflowId)}. Then run the command again.`,
  },
  RunNotFound: {
    exitCode: ExitCode.failed,
    advise: (_error, hint) => `Find the right id: ${hint('list')}. Check the namespace.`,
  },
  // By the type of the failure.
  RunFailed: { exitCode: ExitCode.failed },
  Cancelled: {
    exitCode: ExitCode.cancelled,
    advise: ({ workflowId }, hint) =>
      `See what it has left: ${hint('explain', workflowId)}. You may start the same request again.`,
  },
  RunEnded: {
    exitCode: ExitCode.failed,
    advise: ({ workflowId }, hint) => `See how it ended: ${hint('explain', workflowId)}`,
  },
  Refused: {
    exitCode: ExitCode.failed,
    advise: ({ workflowId, details }, hint) =>
      [
        'Nothing was changed.',
        details.advice,
        `See where the run is: ${hint('explain', workflowId)}`,
      ]
        .filter((sentence) => sentence !== undefined)
        .join(' '),
  },
  NoAnswer: {
    exitCode: ExitCode.failed,
    advise: adviseUnanswered,
  },
  RetryRefused: { exitCode: ExitCode.failed, advise: adviseRetry },
  ScheduleNotFound: {
    exitCode: ExitCode.failed,
    advise: (_error, hint) =>
      `Find the right id: ${hint('schedule', 'list')}. Check the namespace.`,
  },
  ScheduleConflict: {
    exitCode: ExitCode.conflict,
    advise: ({ scheduleId }, hint) =>
      `Use another id; or see it (${hint('schedule', 'show', scheduleId)}), delete it (${hint('schedule', 'delete', scheduleId)}) and create it again. Its open runs continue.`,
  },
  UploadLimit: {
    exitCode: ExitCode.failed,
    advise: (_error, hint) =>
      `Delete a list that nobody needs: ${hint('upload', 'list')}, then ${hint('upload', 'delete', 'upload:…')}. A list is kept for ${KEPT_DAYS} days.`,
  },
  UploadUnsettled: { exitCode: ExitCode.failed },
  UploadNotFound: {
    exitCode: ExitCode.failed,
    advise: (_error, hint) =>
      `Find the right one: ${hint('upload', 'list')}. Check the account and the namespace.`,
  },
  UploadInUse: {
    exitCode: ExitCode.conflict,
    advise: () =>
      'End the runs first, or add --force: a run that reads on then blocks until the list is uploaded again.',
  },
  DecryptionFailed: { exitCode: ExitCode.failed },
  NamespaceNotFound: {
    exitCode: ExitCode.failed,
    advise: () => 'Name another with --namespace or TEMPORAL_NAMESPACE, or create it.',
  },
  TemporalRefuses: {
    exitCode: ExitCode.notAuthorised,
    type: FailureType.unauthorized,
    say: (error) => `The Temporal server refuses this client: ${withCause(error)}`,
  },
  TemporalUnreachable: {
    exitCode: ExitCode.failed,
    advise: () => 'Run the command again when the server is back; repeating it is safe.',
    say: (error) => `The Temporal server does not answer: ${withCause(error)}`,
  },
};

function adviseUnanswered(error: NoAnswerError, hint: Hint): string {
  const { workflowId, mayStillCome, because } = error;
  const explain = hint('explain', workflowId);
  if (mayStillCome) return `Check whether it arrived: ${explain}`;
  if (because !== undefined) return `See why: ${explain}. Then repeat the command: that is safe.`;
  return `Start a worker (${hint('worker')}), then repeat the command. To see why no worker answers: ${explain}`;
}

function adviseRetry({ refusal, workflowId }: RetryRefusedError, hint: Hint): string | undefined {
  if (refusal === 'open') {
    return `Follow it: ${hint('watch', workflowId)}; or end it first: ${hint('cancel', workflowId)}`;
  }
  if (refusal === 'succeeded') {
    return `Print its result: ${hint('result', workflowId)}. To do it once more, start another request with an id of its own.`;
  }
  if (refusal !== 'list-may-differ') return undefined;
  return `If lines were only corrected in place, and none was added, removed or moved: ${hint('retry', workflowId, '--same-lines')}. Otherwise start the failed items from a list of their own.`;
}

const EXIT_CODE_BY_FAILURE: Readonly<Record<string, ExitCode>> = {
  [FailureType.invalidInput]: ExitCode.badInput,
  [FailureType.unauthorized]: ExitCode.notAuthorised,
  [FailureType.itemsFailed]: ExitCode.someItemsFailed,
};

function knownProblem<K extends ErrorKind>(known: KnownError<K>, hint: Hint): Problem {
  const { kind, error, message, advice, code, workflowId, faults, details } = known;
  const { exitCode, type, advise, say }: Dress<K> = DRESSES[kind];
  const ofRun = kind === 'RunFailed' ? EXIT_CODE_BY_FAILURE[code] : undefined;
  return {
    type: type ?? code,
    message: say?.(error) ?? message,
    advice: advise?.(error, hint) ?? advice,
    exitCode: ofRun ?? exitCode,
    ...(workflowId === undefined ? {} : { workflowId }),
    ...(faults === undefined ? {} : { faults }),
    ...(details === undefined ? {} : { details }),
  };
}

/** A cancelled run. `resources` are those that it kept or could not remove. */
export function toCancelled(
  { error, resources }: { error: RunCancelledError; resources: Resource[] },
  hint: Hint,
): Problem {
  const problem = toProblem(error, hint);
  return resources.length === 0 ? problem : { ...problem, details: { resources } };
}

function configurationProblem(error: unknown): Problem | undefined {
  if (!(error instanceof ConfigurationError)) return undefined;
  return {
    type: 'Configuration',
    message: error.message,
    advice: 'Correct the named settings and run the command again.',
    exitCode: ExitCode.badInput,
  };
}

function unexpectedProblem(error: unknown): Problem {
  return {
    type: 'Unexpected',
    message: withCause(error),
    advice: 'Repeat the command; that is safe. If the error stays, report it with this message.',
    exitCode: ExitCode.failed,
  };
}
