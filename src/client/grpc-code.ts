import { isGrpcServiceError } from '@temporalio/client';

/** The gRPC status with which the Temporal server, or the way to it, failed a call. */
export function grpcCodeOf(error: unknown): number | undefined {
  if (isGrpcServiceError(error)) return error.code;
  return error instanceof Error && error.cause !== undefined ? grpcCodeOf(error.cause) : undefined;
}
