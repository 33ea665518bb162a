/** The states of a task. */
export const TaskState = {
  new: 'NEW',
  running: 'RUNNING',
  finished: 'FINISHED',
  error: 'ERROR',
} as const;

/** Waiting ends only at these states. Any other state, documented or not, means "keep waiting". */
export type TerminalTaskState = typeof TaskState.finished | typeof TaskState.error;

export function isTerminal(state: string): state is TerminalTaskState {
  return state === TaskState.finished || state === TaskState.error;
}
