/** Of gRPC (https://grpc.io/docs/guides/status-codes/). */
const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;

/** Whether the Temporal server does not have what a call asked for. */
export function isNotFound(error: unknown): boolean {
  return codeOf(error) === NOT_FOUND;
}

/** Whether a call named what no run can have as its Run Id: any client may have written that down. */
export function isNoRunId(error: unknown): boolean {
  return codeOf(error) === INVALID_ARGUMENT;
}

function codeOf(error: unknown): unknown {
  return error instanceof Object && 'code' in error ? error.code : undefined;
}
