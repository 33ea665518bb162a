import { WorkflowNotFoundError } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';

import { DecryptionError } from '../codec/decryption-error.js';
import { countFaults } from '../engine/core/faults.js';
import { FailureType, withoutAdvice, type Fault } from '../engine/core/failures.js';
import { plural } from '../engine/core/text.js';
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
  RetryRefusedError,
  ScheduleConflictError,
  ScheduleNotFoundError,
  UploadInUseError,
  UploadLimitError,
  UploadNotFoundError,
  UploadUnsettledError,
} from './errors.js';
import { GrpcCode } from './server-calls.js';
import {
  hasCode,
  isA,
  type ErrorKind,
  type ErrorOf,
  type KnownError,
  type Row,
  type Told,
} from './known-error.js';

const hasOther = (state: 'open' | 'succeeded'): string =>
  `The run of this request ${state === 'open' ? 'is open' : 'has succeeded'} with another input.`;

const toDiffering = (paths: readonly string[]): Fault[] =>
  paths.map((path) => ({ path, message: 'differs' }));

/** The first row that knows an error has it. */
const TABLE: { readonly [K in ErrorKind]: Row<K> } = {
  InvalidInput: {
    is: isA(InvalidInputError),
    title: 'The input is not valid',
    retryable: false,
    tell: ({ faults }) => ({
      message: `The input has ${plural(countFaults(faults), 'fault')}. Nothing was started or changed.`,
      advice: 'Correct the faults and call again.',
      code: FailureType.invalidInput,
      faults,
    }),
  },
  RequestConflict: {
    is: isA(RequestConflictError),
    title: 'The request has a run with another input',
    retryable: false,
    tell: ({ workflowId, state, paths, advice }) => ({
      message: `${hasOther(state)} Nothing was started.`,
      advice,
      workflowId,
      faults: toDiffering(paths),
    }),
  },
  RunEnding: {
    is: isA(RunEndingError),
    title: 'The earlier run is still ending',
    retryable: true,
    tell: ({ message, advice, workflowId }) => ({
      message: withoutAdvice(message, advice),
      advice,
      workflowId,
    }),
  },
  RunNotFound: {
    is: isA<RunNotFoundError | WorkflowNotFoundError>(RunNotFoundError, WorkflowNotFoundError),
    title: 'There is no such run',
    retryable: false,
    tell: ({ workflowId }) => ({
      message: `There is no run "${workflowId}" in this namespace.`,
      advice: 'Check the id and the namespace.',
      workflowId,
    }),
  },
  RunFailed: {
    is: isA(RunFailedError),
    title: 'The run failed',
    retryable: false,
    tell: tellFailed,
  },
  Cancelled: {
    is: isA(RunCancelledError),
    title: 'The run was cancelled',
    retryable: false,
    tell: ({ workflowId }) => ({
      message: 'The run was cancelled.',
      advice: 'See what it has left. The same request may start again.',
      workflowId,
    }),
  },
  RunEnded: {
    is: isA(RunEndedError),
    title: 'The run has ended',
    retryable: false,
    tell: ({ message, workflowId }) => ({
      message: `${message} Nothing was changed.`,
      advice: 'See how it ended.',
      workflowId,
    }),
  },
  Refused: {
    is: isA(UpdateRefusedError),
    title: 'The run refuses this now',
    retryable: false,
    tell: ({ message, type, details, workflowId }) => ({
      message: withoutAdvice(message, details.advice),
      advice: details.advice ?? 'See where the run is.',
      code: type,
      workflowId,
    }),
  },
  NoAnswer: {
    is: isA(NoAnswerError),
    title: 'No worker answers for the run',
    retryable: true,
    tell: (error) => ({
      message: error.message,
      advice: adviseUnanswered(error),
      workflowId: error.workflowId,
    }),
  },
  RetryRefused: {
    is: isA(RetryRefusedError),
    title: 'The run is not started again',
    retryable: false,
    tell: ({ message, advice, workflowId }) => ({
      message: withoutAdvice(message, advice),
      advice,
      workflowId,
    }),
  },
  ScheduleNotFound: {
    is: isA(ScheduleNotFoundError),
    title: 'There is no such schedule',
    retryable: false,
    tell: ({ scheduleId }) => ({
      message: `There is no schedule "${scheduleId}" in this namespace.`,
      advice: 'Check the id and the namespace.',
    }),
  },
  ScheduleConflict: {
    is: isA(ScheduleConflictError),
    title: 'The schedule exists with another content',
    retryable: false,
    tell: ({ scheduleId, paths, advice }) => ({
      message: `The schedule "${scheduleId}" exists with another content. Nothing was changed.`,
      advice,
      faults: toDiffering(paths),
    }),
  },
  UploadLimit: {
    is: isA(UploadLimitError),
    title: 'Too much is kept of uploaded lists',
    retryable: false,
    tell: ({ message, advice }) => ({ message: withoutAdvice(message, advice), advice }),
  },
  UploadUnsettled: {
    is: isA(UploadUnsettledError),
    title: 'The list could not be kept now',
    retryable: true,
    tell: ({ message, advice }) => ({ message: `${message} Nothing of it is kept.`, advice }),
  },
  UploadNotFound: {
    is: isA(UploadNotFoundError),
    title: 'There is no such upload',
    retryable: false,
    tell: ({ message }) => ({
      message,
      advice: 'Check its name, the account and the namespace (upload list).',
    }),
  },
  UploadInUse: {
    is: isA(UploadInUseError),
    title: 'An open run may still read the list',
    retryable: false,
    tell: ({ message }) => ({
      message,
      advice:
        'End the runs first, or force it: a run that reads on then blocks until the list is uploaded again.',
    }),
  },
  DecryptionFailed: {
    is: isA(DecryptionError),
    title: 'A key is missing',
    retryable: false,
    tell: ({ message, advice }) => ({ message: withoutAdvice(message, advice), advice }),
  },
  NamespaceNotFound: {
    is: isA(NamespaceNotFoundError),
    title: 'There is no such namespace',
    retryable: false,
    tell: ({ message }) => ({
      message: `${message}.`,
      advice: 'Name another in TEMPORAL_NAMESPACE, or create it.',
    }),
  },
  TemporalRefuses: {
    is: hasCode(GrpcCode.unauthenticated, GrpcCode.permissionDenied),
    title: 'The Temporal server refuses this client',
    retryable: false,
    tell: () => ({
      message: 'The Temporal server refuses the credentials of this client.',
      advice: 'Check TEMPORAL_API_KEY, or the TLS certificate, and the namespace.',
    }),
  },
  TemporalUnreachable: {
    is: hasCode(
      GrpcCode.deadlineExceeded,
      GrpcCode.resourceExhausted,
      GrpcCode.unavailable,
      // A call that ends with its connection.
      GrpcCode.cancelled,
    ),
    title: 'The Temporal server does not answer',
    retryable: true,
    tell: () => ({
      message: 'The Temporal server does not answer in time. Nothing is lost: open runs continue.',
      advice: 'Repeat the request when the server is back: that is safe.',
    }),
  },
};

function adviseUnanswered({ mayStillCome, because }: NoAnswerError): string {
  if (mayStillCome) return 'Read the status to see whether it arrived, then repeat the request.';
  const safely = 'then repeat the request: that is safe.';
  return because === undefined ? `Start a worker, ${safely}` : `Read its explanation, ${safely}`;
}

function tellFailed({ type, message, details, workflowId }: RunFailedError): Told {
  const { advice = 'Read how it ended in the history of the run.', faults } = details;
  const [line = message] = message.split('\n');
  // The faults stand below the first line, and are told on their own.
  const what = faults === undefined ? message : line.replace(/:$/, '.');
  return {
    message: withoutAdvice(what, advice),
    advice,
    code: type,
    workflowId,
    ...(faults === undefined ? {} : { faults }),
    details,
  };
}

const isKind = (name: string): name is ErrorKind => name in TABLE;
const KINDS = Object.keys(TABLE).filter(isKind);

/** What is known of any error; `undefined` for one that nobody has foreseen. */
export function toKnownError(error: unknown): KnownError | undefined {
  for (const kind of KINDS) {
    const known = readRow(kind, error);
    if (known !== undefined) return known;
  }
  return undefined;
}

function readRow<K extends ErrorKind>(kind: K, error: unknown): KnownError<K> | undefined {
  return TABLE[kind].is(error) ? describeError(kind, error) : undefined;
}

/** The row of a kind, for an error of it. */
export function describeError<K extends ErrorKind>(kind: K, error: ErrorOf[K]): KnownError<K> {
  const { title, retryable, tell } = TABLE[kind];
  return { kind, error, title, retryable, code: kind, ...tell(error) };
}

/** The Temporal server is away or overloaded: a later call may succeed. */
export function isUnreachable(error: unknown): boolean {
  return TABLE.TemporalUnreachable.is(error);
}
