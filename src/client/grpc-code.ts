import { isGrpcServiceError } from '@temporalio/client';

/** The gRPC codes that this client tells apart (https://grpc.io/docs/guides/status-codes/). */
export const GrpcCode = {
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** The gRPC status of a failed call to the Temporal server; `undefined` for any other error. */
export function grpcCodeOf(error: unknown): number | undefined {
  if (isGrpcServiceError(error)) return error.code;
  return error instanceof Error && error.cause !== undefined ? grpcCodeOf(error.cause) : undefined;
}
