import { classifyTaskError } from '../../contract/wire/tasks.js';
import { FailureType } from '../../engine/core/failures.js';
import type { TaskErrorType } from '../../engine/core/tasks.js';
import { failure } from '../../engine/run/failures.js';
import type { TaskOutcome } from '../gcore.js';

/** Why a task has ended in ERROR. */
export interface FailedTask {
  type: TaskErrorType;
  reason: string;
  /** Of the call that has started the task. */
  error: Error;
}

/**
 * @param shown what the resource shows now, a sentence
 * @param advice where it differs from the usual one
 */
export function taskFailure(
  { id, error, errorType }: TaskOutcome,
  { shown, advice }: { shown?: string; advice?: Partial<Record<TaskErrorType, string>> } = {},
): FailedTask {
  const reason = error ?? 'no reason given';
  const type = errorType ?? classifyTaskError(reason);
  const message = [`Task ${id} ended in ERROR: ${reason}.`, shown].filter(Boolean).join(' ');
  const details = { taskId: id, advice: advice?.[type] ?? ADVICE[type] };
  return { type, reason, error: failure(type, message, details) };
}

const ADVICE: Readonly<Record<TaskErrorType, string>> = {
  [FailureType.quotaExceeded]: 'Ask for a higher quota or delete what is not needed.',
  [FailureType.capacityUnavailable]:
    'Choose another flavor or region, or wait until there is capacity.',
  [FailureType.taskFailed]:
    'If you cannot fix the named cause, ask the support of the API with the task id. Then start again under the same request id.',
};
