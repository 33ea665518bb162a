import {
  workflowInfo,
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  condition,
  makeContinueAsNewFunc,
  type Workflow,
} from '@temporalio/workflow';

import { runIdOf } from '../core/identity.js';
import { askedMemo } from './asked-log.js';
import { noteNewRun } from './earlier-history.js';
import type { Run } from './run-types.js';

/**
 * Whether the run is pinned to a version of the workers and another one should have it now. Known from the last
 * workflow task on. Never without Worker Versioning.
 */
export function isNewerVersionCurrent(): boolean {
  return workflowInfo().targetWorkerDeploymentVersionChanged;
}

/** The next history of a pinned run would stay at its version; with this it begins at the current one. */
export const AT_CURRENT_VERSION = { initialVersioningBehavior: 'AUTO_UPGRADE' } as const;

const MAX_EVENTS = 5_000;

/**
 * Whether the run should continue in a new history: because this one has grown long, or because a newer version of
 * the workers is current, which the run can only reach that way.
 */
export function isTimeToContinue({ prepared }: Run): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  if (isNewerVersionCurrent()) return true;
  return continueAsNewSuggested || historyLength >= (prepared.policy.mostEvents ?? MAX_EVENTS);
}

/**
 * Continues in a new history, under the same id and deadline, at the current version of the workers. Only for a run that has nothing to undo,
 * and only between two calls. Waits while the run is paused, unless it goes on while it is. A run that is ending does not continue:
 * the new run would not know about the end.
 *
 * @param argsNow asked when nothing stands in the way any more: an update may have changed them while the
 *   run waited. `undefined` when there is nothing left to continue.
 * @param how `goesOnPaused`: the run follows others while it is paused, and its next history does too
 */
export async function continueRunAsNew<W extends Workflow>(
  run: Run,
  argsNow: () => Parameters<W> | undefined,
  { goesOnPaused = false }: { goesOnPaused?: boolean } = {},
): Promise<void> {
  do {
    if (!goesOnPaused) await run.controls.untilUnpaused();
    await run.notifier.settle();
    await condition(allHandlersFinished);
    // Somebody may have paused the run meanwhile: the next history would wait before it has begun.
  } while (!goesOnPaused && run.controls.pause.isPaused());
  if (CancellationScope.current().consideredCancelled) {
    throw new CancelledFailure('cancelled before the run continued in a new history');
  }
  if (argsNow() === undefined) return;
  noteUnheardReset(run);
  const args = argsNow();
  if (args === undefined) return;
  const told = run.notifier.memo();
  const asked = askedMemo(run.ledger.asked.list());
  // A memo replaces the one before as a whole; without one that one stays.
  const isNews = told !== undefined || asked !== undefined;
  const memo = isNews && { memo: { ...workflowInfo().memo, ...told, ...asked } };
  await makeContinueAsNewFunc<W>({ ...AT_CURRENT_VERSION, ...memo })(...args);
}

/**
 * A reset run hears of its reset by its first call. If it continues before that, the next history signs its calls
 * itself and would not hear of it. A reset copies no event after the end of a history, so here the run may ask who it is.
 */
function noteUnheardReset(run: Run): void {
  const { prepared } = run;
  if (!('maker' in prepared) || typeof prepared.maker !== 'string') return;
  const { runId } = workflowInfo();
  if (runIdOf(prepared.maker) === runId) return;
  noteNewRun(run, prepared.maker, runId);
}
