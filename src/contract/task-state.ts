/** All states of a cloud task (OpenAPI `TaskSerializer`). Free of zod. */
export const TaskState = {
  new: 'NEW',
  running: 'RUNNING',
  finished: 'FINISHED',
  error: 'ERROR',
} as const;

/** Waiting ends at these states only: any other, also one that is not documented, means "keep waiting". */
export type TerminalTaskState = typeof TaskState.finished | typeof TaskState.error;

export function isTerminal(state: string): state is TerminalTaskState {
  return state === TaskState.finished || state === TaskState.error;
}
