import {
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  makeContinueAsNewFunc,
  workflowInfo,
  type Workflow,
} from '@temporalio/workflow';

import { askedMemo } from './asked-log.js';
import type { Run } from './run-types.js';

const MAX_EVENTS = 5_000;

/** Whether the history has grown so long that the run should continue in a new one. */
export function isHistoryLong({ prepared }: Run): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength >= (prepared.policy.mostEvents ?? MAX_EVENTS);
}

/**
 * Continues in a new history, under the same id and deadline. Only for a run that has nothing to undo,
 * and only between two calls. Waits while the run is paused. A run that is ending does not continue:
 * the new run would not know about the end.
 *
 * @param argsNow asked when nothing stands in the way any more: an update may have changed them while the
 *   run waited. `undefined` when there is nothing left to continue.
 */
export async function continueRunAsNew<W extends Workflow>(
  run: Run,
  argsNow: () => Parameters<W> | undefined,
): Promise<void> {
  await run.controls.untilUnpaused();
  await run.notifier.settle();
  await condition(allHandlersFinished);
  if (CancellationScope.current().consideredCancelled) {
    throw new CancelledFailure('cancelled before the run continued in a new history');
  }
  const args = argsNow();
  if (args === undefined) return;
  const told = run.notifier.memo();
  const asked = askedMemo(run.ledger.asked.list());
  if (told === undefined && asked === undefined) await continueAsNew<W>(...args);
  const memo = { ...workflowInfo().memo, ...told, ...asked };
  await makeContinueAsNewFunc<W>({ memo })(...args);
}
