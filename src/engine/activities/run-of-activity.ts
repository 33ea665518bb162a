import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';

import { FailureType, type FailureDetails, type Fault } from '../core/failures.js';
import { countFaults, firstFaults, formatFaults } from '../core/faults.js';
import type { StartedRemoval } from '../core/tasks.js';
import { plural } from '../core/text.js';
import { GENERAL_ADVICE } from '../http/api-description.js';

/** The run that the running activity works for. */
export interface RunOfActivity {
  namespace: string;
  workflowId: string;
  runId: string;
}

export function runOfActivity(): RunOfActivity {
  const { namespace, workflowExecution } = activityInfo();
  if (workflowExecution === undefined) {
    throw new TypeError('this activity runs inside a workflow only');
  }
  return { namespace, ...workflowExecution };
}

/** Whether the activity works for a run that an operator has made by a reset, from this one: its first event names it. */
export function wasReset(eventRunId: string | undefined): eventRunId is string {
  return eventRunId !== undefined && eventRunId !== runOfActivity().runId;
}

/** @param count number of all faults, when `faults` names only some. */
export function invalidInput(faults: Fault[], count = countFaults(faults)): ApplicationFailure {
  const advice = GENERAL_ADVICE[FailureType.invalidInput];
  const first = firstFaults(faults, count);
  return ApplicationFailure.create({
    type: FailureType.invalidInput,
    nonRetryable: true,
    message: `The input has ${plural(count, 'fault')}:\n${formatFaults(first)}`,
    details: [{ advice, faults: first } satisfies FailureDetails],
  });
}

/** Whether the API does not know what was asked for. */
export function isNotFound(error: unknown): error is ApplicationFailure {
  return error instanceof ApplicationFailure && error.type === FailureType.notFound;
}

/**
 * What a delete has come to. One of a missing resource has succeeded. For one in use, the caller decides when to retry.
 *
 * @param taskIds of the tasks that the delete has started; none where the API has no tasks
 */
export async function removalOf(taskIds: Promise<string[]>): Promise<StartedRemoval> {
  try {
    return { taskIds: await taskIds };
  } catch (error) {
    if (isNotFound(error)) return { taskIds: [], isGone: true };
    const type = error instanceof ApplicationFailure ? error.type : undefined;
    if (type === FailureType.resourceBusy) return { taskIds: [], isBusy: true };
    throw error;
  }
}
