import { ApplicationFailure } from '@temporalio/common';

import { FailureType } from '../core/failures.js';
import type { StartedRemoval } from '../core/tasks.js';

/**
 * What a delete has come to. One of a missing resource has succeeded. For one in use, the caller decides when to retry.
 *
 * @param taskIds of the tasks that the delete has started; none where the API has no tasks
 */
export async function removalOf(taskIds: Promise<string[]>): Promise<StartedRemoval> {
  try {
    return { taskIds: await taskIds };
  } catch (error) {
    const type = error instanceof ApplicationFailure ? error.type : undefined;
    if (type === FailureType.notFound) return { taskIds: [], isGone: true };
    if (type === FailureType.resourceBusy) return { taskIds: [], isBusy: true };
    throw error;
  }
}
