import type { WorkflowNotFoundError } from '@temporalio/client';
import type { NamespaceNotFoundError } from '@temporalio/common';

import type { DecryptionError } from '../codec/decryption-error.js';
import type { FailureDetails, Fault } from '../engine/core/failures.js';
import type {
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
import { grpcCodeOf } from './server-calls.js';

/** The errors that every surface knows, by their kinds. A unit test finds an error of the client that is missing. */
export interface ErrorOf {
  InvalidInput: InvalidInputError;
  RequestConflict: RequestConflictError;
  RunEnding: RunEndingError;
  RunNotFound: RunNotFoundError | WorkflowNotFoundError;
  RunFailed: RunFailedError;
  Cancelled: RunCancelledError;
  RunEnded: RunEndedError;
  Refused: UpdateRefusedError;
  NoAnswer: NoAnswerError;
  RetryRefused: RetryRefusedError;
  ScheduleNotFound: ScheduleNotFoundError;
  ScheduleConflict: ScheduleConflictError;
  UploadLimit: UploadLimitError;
  UploadUnsettled: UploadUnsettledError;
  UploadNotFound: UploadNotFoundError;
  UploadInUse: UploadInUseError;
  DecryptionFailed: DecryptionError;
  NamespaceNotFound: NamespaceNotFoundError;
  TemporalRefuses: Error;
  TemporalUnreachable: Error;
}
export type ErrorKind = keyof ErrorOf;

/** What an error says to anybody. A surface adds its own dress: a status, an exit code, a command to paste. */
export interface Told {
  /** What happened, without the advice. */
  message: string;
  /** The next step, where the surface knows no better one. */
  advice: string;
  /** What a program reads; the kind when left out. */
  code?: string;
  workflowId?: string;
  faults?: readonly Fault[];
  details?: Partial<FailureDetails>;
}

/** An error of a known kind, with what it says. */
export type KnownError<K extends ErrorKind = ErrorKind> = {
  [P in K]: Told & { kind: P; error: ErrorOf[P]; code: string } & Pick<
      Row<P>,
      'title' | 'retryable'
    >;
}[K];

export interface Row<K extends ErrorKind> {
  is: (error: unknown) => error is ErrorOf[K];
  title: string;
  /** The same call may succeed later, although nobody has changed it or corrected anything. */
  retryable: boolean;
  tell: (error: ErrorOf[K]) => Told;
}

export function isA<E extends Error>(
  ...classes: readonly (abstract new (...args: never[]) => E)[]
) {
  return (error: unknown): error is E => classes.some((it) => error instanceof it);
}

export function hasCode(...codes: readonly number[]) {
  return (error: unknown): error is Error => codes.includes(grpcCodeOf(error) ?? -1);
}
