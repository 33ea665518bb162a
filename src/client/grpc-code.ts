import { isGrpcServiceError } from '@temporalio/client';

/** The codes of gRPC that say something here (https://grpc.io/docs/guides/status-codes/). */
export const GrpcCode = {
  deadlineExceeded: 4,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** The gRPC status with which the Temporal server, or the way to it, failed a call. */
export function grpcCodeOf(error: unknown): number | undefined {
  if (isGrpcServiceError(error)) return error.code;
  return error instanceof Error && error.cause !== undefined ? grpcCodeOf(error.cause) : undefined;
}
