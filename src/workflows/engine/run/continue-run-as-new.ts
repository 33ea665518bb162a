import {
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  workflowInfo,
  type Workflow,
} from '@temporalio/workflow';

import type { Run } from './run-types.js';

const MAX_EVENTS = 5_000;

/** Whether the history of the run has grown so long that it should go on in a new one. */
export function isHistoryLong({ prepared }: Run): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength >= (prepared.policy.mostEvents ?? MAX_EVENTS);
}

/**
 * Goes on in a new history, under the same id and deadline. Only for a run that has nothing to undo,
 * and between two calls. Returns when something else comes first: a pause is waited for, and a run
 * that is to end does not begin anew, because the new one would not know.
 */
export async function continueRunAsNew<W extends Workflow>(
  run: Run,
  args: Parameters<W>,
): Promise<void> {
  await run.controls.clearance();
  await condition(allHandlersFinished);
  if (CancellationScope.current().consideredCancelled) {
    throw new CancelledFailure('cancelled before the run went on in a new history');
  }
  await continueAsNew<W>(...args);
}
