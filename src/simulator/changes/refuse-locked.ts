import { conflictError } from '../http/cloud-error.js';

/** Allows one mutation at a time: while a task runs, the API refuses others and does not queue them. */
export function refuseLocked(
  kind: string,
  row: Readonly<{ id: string; taskId: string | null }>,
): void {
  if (row.taskId !== null) {
    throw conflictError(`${kind} ${row.id} is locked by task ${row.taskId}`);
  }
}
