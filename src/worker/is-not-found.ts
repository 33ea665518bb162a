/** Of gRPC (https://grpc.io/docs/guides/status-codes/). */
const NOT_FOUND = 5;

/** Whether the Temporal server does not have what a call asked for. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Object && 'code' in error && error.code === NOT_FOUND;
}
