import type { Workflow } from '@temporalio/common';
import {
  CancellationScope,
  CancelledFailure,
  getExternalWorkflowHandle,
  startChild,
  type ChildWorkflowHandle,
  type ChildWorkflowOptions,
  type WithWorkflowArgs,
} from '@temporalio/workflow';

import { toCancellation, toEndOfPart } from './failures.js';
import { deliveryOf } from './signal-run.js';

type ChildOptions<W extends Workflow> = WithWorkflowArgs<W, ChildWorkflowOptions>;

/**
 * Starts a child whose end `resultOfChild` waits for. The SDK would cancel it as a child of this very Run Id,
 * which it is no longer after a reset.
 */
export async function startOwnChild<W extends Workflow>(
  type: string,
  options: ChildOptions<W>,
): Promise<ChildWorkflowHandle<W>> {
  if (CancellationScope.current().consideredCancelled) {
    throw new CancelledFailure('cancelled before the child was started');
  }
  return CancellationScope.nonCancellable(() => startChild<W>(type, options));
}

/**
 * Waits for the end of a child. When this run is to end meanwhile, it asks the child to cancel, and waits for
 * that too; in a scope that cannot be cancelled, the child goes on. A child that somebody has cancelled alone fails this run. While it waits, no other run has the Workflow Id of the
 * child.
 */
export async function resultOfChild<T>(child: {
  workflowId: string;
  result(): Promise<T>;
}): Promise<T> {
  let hasEnded = false;
  const scope = CancellationScope.current();
  const cancel = async (): Promise<void> => {
    // A scope that cannot be cancelled hears of it too.
    if (!hasEnded && scope.consideredCancelled) await cancelRun(child.workflowId);
  };
  void scope.cancelRequested.catch(cancel);
  try {
    return await child.result();
  } catch (error) {
    throw scope.consideredCancelled ? toCancellation(error) : toEndOfPart(error, child.workflowId);
  } finally {
    hasEnded = true;
  }
}

/** Asks a run to cancel, by its Workflow Id. It may have ended. */
export async function cancelRun(workflowId: string): Promise<void> {
  try {
    await CancellationScope.nonCancellable(() => getExternalWorkflowHandle(workflowId).cancel());
  } catch (error) {
    deliveryOf(error);
  }
}
