import proto from '@temporalio/proto';

/** The codes of gRPC that Temporal answers with. */
export const Code = {
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
} as const;

/** How a call fails: what a gRPC client would see. */
export class GrpcError extends Error {
  override readonly name = 'GrpcError';

  readonly code: number;
  readonly details: string;
  readonly metadata: Record<string, Buffer>;

  constructor(code: number, details: string, metadata: Record<string, Buffer> = {}) {
    super(`${code} ${details}`);
    this.code = code;
    this.details = details;
    this.metadata = metadata;
  }
}

interface Encodable {
  encode(message: object): { finish(): Uint8Array };
}

/** A detail of a status: the type's full name and its bytes. */
export interface Detail {
  type_url: string;
  value: Uint8Array;
}

const errors = proto.temporal.api.errordetails.v1;

/** A detail of the errors that have no fields of interest. */
export function detailOf(name: string, type: Encodable, fields: object = {}): Detail {
  return {
    type_url: `type.googleapis.com/temporal.api.errordetails.v1.${name}`,
    value: type.encode(fields).finish(),
  };
}

/** An error with its `google.rpc.Status` in the metadata, where the SDK reads it. */
export function errorWith(code: number, message: string, details: readonly Detail[]): GrpcError {
  const status = proto.google.rpc.Status.encode({ code, message, details: [...details] }).finish();
  return new GrpcError(code, message, { 'grpc-status-details-bin': Buffer.from(status) });
}

export function notFound(message: string): GrpcError {
  return errorWith(Code.notFound, message, [detailOf('NotFoundFailure', errors.NotFoundFailure)]);
}

export function invalidArgument(message: string): GrpcError {
  return new GrpcError(Code.invalidArgument, message);
}

export function failedPrecondition(message: string): GrpcError {
  return new GrpcError(Code.failedPrecondition, message);
}

export function workflowNotReady(message: string): GrpcError {
  return errorWith(Code.failedPrecondition, message, [
    detailOf('WorkflowNotReadyFailure', errors.WorkflowNotReadyFailure),
  ]);
}

interface ExistingRun {
  readonly runId: string;
  readonly createRequestId: string;
  readonly firstRunId: string;
}

export function alreadyStarted(message: string, existing: ExistingRun): GrpcError {
  const { runId, createRequestId, firstRunId } = existing;
  return errorWith(Code.alreadyExists, message, [
    detailOf(
      'WorkflowExecutionAlreadyStartedFailure',
      errors.WorkflowExecutionAlreadyStartedFailure,
      { runId, startRequestId: createRequestId, firstExecutionRunId: firstRunId },
    ),
  ]);
}

export function queryFailed(message: string): GrpcError {
  return errorWith(Code.invalidArgument, message, [
    detailOf('QueryFailedFailure', errors.QueryFailedFailure),
  ]);
}

export function namespaceNotFound(namespace: string): GrpcError {
  return errorWith(Code.notFound, `Namespace ${namespace} is not found.`, [
    detailOf('NamespaceNotFoundFailure', errors.NamespaceNotFoundFailure, { namespace }),
  ]);
}

export function deadlineExceeded(): GrpcError {
  return new GrpcError(Code.deadlineExceeded, 'context deadline exceeded');
}

export const COMPLETED_EXECUTION = 'workflow execution already completed';
/** Of an update that a closing run has not taken on any more. */
export const ABORTED_UPDATE = 'workflow update was aborted by closing workflow';
export const NO_EXECUTION = 'workflow execution not found';
/** Of the gateway to the database: what a run that never existed answers. */
export const UNKNOWN_EXECUTION = 'workflow not found for ID: ';
export const CLOSING_EXECUTION =
  'workflow operation can not be applied because workflow is closing';
export const NO_ACTIVITY =
  'invalid activityID or activity already timed out or invoking workflow is completed';
