import { ServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';

import { GrpcCode } from '../../src/client/server-calls.js';
import {
  InvalidInputError,
  NoAnswerError,
  RequestConflictError,
  RetryRefusedError,
  RunCancelledError,
  RunEndedError,
  RunEndingError,
  RunFailedError,
  RunNotFoundError,
  ScheduleConflictError,
  ScheduleNotFoundError,
  UpdateRefusedError,
  UploadInUseError,
  UploadLimitError,
  UploadNotFoundError,
  UploadUnsettledError,
} from '../../src/client/index.js';
import type { ErrorKind } from '../../src/client/known-error.js';
import { noKeys } from '../../src/codec/decryption-error.js';

const ID = 'provision-instance/default/order-4711';

export function grpcError(code: number): ServiceError {
  const cause = Object.assign(new Error('refused'), { code, details: 'refused', metadata: {} });
  return new ServiceError('Failed', { cause });
}

const USAGE = {
  caller: { bytes: 3, mostBytes: 2 },
  account: { bytes: 3, mostBytes: 4, lists: 3, mostLists: 2 },
  list: { mostBytes: 4 },
};

const READER = {
  ...{ workflowId: ID, runId: 'r-1', operation: 'runBatch', account: 'default' },
  ...({ state: 'RUNNING', phase: 'running', startedAt: new Date(0), closedAt: undefined } as const),
};

/** One error or more of every kind that the surfaces know. */
export const ERRORS_OF: Readonly<Record<ErrorKind, readonly [Error, ...Error[]]>> = {
  InvalidInput: [new InvalidInputError([{ path: 'instance.flavor', message: 'is missing' }])],
  RequestConflict: [
    new RequestConflictError(ID, 'open', ['instance.flavor']),
    new RequestConflictError(ID, 'succeeded', []),
  ],
  RunEnding: [new RunEndingError(ID, 30_000)],
  RunNotFound: [new RunNotFoundError(ID), new WorkflowNotFoundError('not found', ID, undefined)],
  RunFailed: [
    new RunFailedError(ID, {
      type: 'TaskFailed',
      message: 'It broke. Look at it.',
      details: { advice: 'Look at it.', step: 'create instance' },
    }),
    new RunFailedError(ID, { type: 'TerminatedFailure', message: 'It broke.', details: {} }),
  ],
  Cancelled: [new RunCancelledError(ID)],
  RunEnded: [new RunEndedError(ID, 'FAILED')],
  Refused: [
    new UpdateRefusedError(ID, {
      message: 'The run is paused. Resume it.',
      details: { advice: 'Resume it.' },
    }),
    new UpdateRefusedError(ID, { message: 'The run is paused.', details: {} }),
  ],
  NoAnswer: [
    new NoAnswerError(ID, { update: 'pause', waitedMs: 5_000, mayStillCome: true }),
    new NoAnswerError(ID, { update: 'pause', waitedMs: 5_000, mayStillCome: false }),
    new NoAnswerError(ID, {
      ...{ update: 'pause', waitedMs: 5_000, mayStillCome: false },
      because: 'Workflow task is not scheduled yet.',
    }),
  ],
  RetryRefused: [
    new RetryRefusedError(ID, 'open'),
    new RetryRefusedError(ID, 'succeeded'),
    new RetryRefusedError(ID, 'plan'),
    new RetryRefusedError(ID, 'forgotten'),
    new RetryRefusedError(ID, 'list-may-differ'),
    new RetryRefusedError(ID, 'other-list'),
  ],
  ScheduleNotFound: [new ScheduleNotFoundError('nightly')],
  ScheduleConflict: [new ScheduleConflictError('nightly', ['at'])],
  UploadLimit: [
    new UploadLimitError('caller', 'default', USAGE),
    new UploadLimitError('account', 'default', USAGE),
  ],
  UploadUnsettled: [
    new UploadUnsettledError('unlisted'),
    new UploadUnsettledError('slow'),
    new UploadUnsettledError('deleted'),
  ],
  UploadNotFound: [new UploadNotFoundError()],
  UploadInUse: [new UploadInUseError([], { count: 201 }), new UploadInUseError([READER])],
  DecryptionFailed: [noKeys('k-1')],
  NamespaceNotFound: [new NamespaceNotFoundError('blue')],
  TemporalRefuses: [grpcError(GrpcCode.unauthenticated), grpcError(GrpcCode.permissionDenied)],
  TemporalUnreachable: [
    grpcError(GrpcCode.deadlineExceeded),
    grpcError(GrpcCode.resourceExhausted),
    grpcError(GrpcCode.unavailable),
    grpcError(GrpcCode.cancelled),
  ],
};
