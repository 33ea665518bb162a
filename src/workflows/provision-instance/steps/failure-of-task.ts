import { FailureType } from '../../../engine/core/failures.js';
import { classifyTaskError } from '../../../contract/wire/tasks.js';
import type { TaskErrorType } from '../../../engine/core/tasks.js';
import { failure } from '../../../engine/run/failures.js';
import type { TaskOutcome } from '../../gcore.js';

const TASK_ADVICE = {
  [FailureType.quotaExceeded]: 'Ask for a higher quota or delete what is not needed.',
  [FailureType.capacityUnavailable]:
    'Choose another flavor or region, or wait until there is capacity.',
  [FailureType.taskFailed]:
    'If you cannot fix the named cause, ask the support of the API with the task id. Then start again under the same request id.',
} as const;

/** The failure of a create whose task has ended in ERROR. */
export function failureOfTask({ id, error, errorType }: TaskOutcome): {
  type: TaskErrorType;
  reason: string;
  error: Error;
} {
  const reason = error ?? 'no reason given';
  const type = errorType ?? classifyTaskError(reason);
  const message = `Task ${id} ended in ERROR: ${reason}.`;
  return {
    type,
    reason,
    error: failure(type, message, { taskId: id, advice: TASK_ADVICE[type] }),
  };
}
