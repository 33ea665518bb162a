import {
  CancellationScope,
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  isCancellation,
  ParentClosePolicy,
  setHandler,
  sleep,
  startChild,
  type ChildWorkflowCancellationType,
  type ChildWorkflowOptions,
} from '@temporalio/workflow';

import { outcomeOf } from '../explain-error.js';
import { go } from './basics.js';

type ChildOptions = ChildWorkflowOptions & { workflowId: string };

/** Starts a child, and says how it ended. */
export async function parent(type: string, options: ChildOptions): Promise<unknown> {
  const child = await outcomeOf(startChild(type, options).then((handle) => handle.result()));
  return child;
}

/** Starts a child and waits for it, and says whether it started. */
export async function parentThatTellsOfStart(
  type: string,
  options: ChildOptions,
): Promise<unknown> {
  return outcomeOf(startChild(type, options).then(() => 'started'));
}

/** Starts a child and waits for `go`. */
export async function parentThatWaits(type: string, options: ChildOptions): Promise<string> {
  let isTold = false;
  setHandler(go, () => {
    isTold = true;
  });
  await startChild(type, options);
  await condition(() => isTold);
  return 'done';
}

/** Starts a child, writes to another run, and ends in the same task. */
export async function endsAfterItsCommands(workflowId: string, other: string): Promise<string> {
  const { ABANDON } = ParentClosePolicy;
  const left = startChild('echo', { workflowId, parentClosePolicy: ABANDON });
  const signalled = getExternalWorkflowHandle(other).signal(go, 'in passing');
  const cancelled = getExternalWorkflowHandle(other).cancel();
  await Promise.race([left, signalled, cancelled, Promise.resolve()]);
  return 'ended';
}

/** Signals its child at `go`. */
export async function parentThatSignals(workflowId: string): Promise<unknown> {
  let isTold = false;
  setHandler(go, () => {
    isTold = true;
  });
  const child = await startChild('waitForGo', { workflowId });
  await condition(() => isTold);
  await child.signal(go, 'from the parent');
  return child.result();
}

/** Cancels its child at `go`. */
export async function parentThatCancels(
  type: string,
  cancellationType: ChildWorkflowCancellationType,
  workflowId: string,
): Promise<unknown> {
  let isTold = false;
  setHandler(go, () => {
    isTold = true;
  });
  const scope = new CancellationScope();
  const { ABANDON } = ParentClosePolicy;
  const ended = scope.run(async () => {
    const child = await startChild(type, {
      workflowId,
      cancellationType,
      parentClosePolicy: ABANDON,
    });
    const result: unknown = await child.result();
    return result;
  });
  const result = outcomeOf(ended);
  await condition(() => isTold);
  scope.cancel();
  const how = await result;
  // A run that closes at once asks its child for nothing any more.
  await sleep(3_000);
  return how;
}

export async function cancelsChildAtOnce(workflowId: string): Promise<unknown> {
  const scope = new CancellationScope();
  const ended = outcomeOf(scope.run(() => startChild('echo', { workflowId })));
  scope.cancel();
  return ended;
}

export async function parentThatContinues(
  isSecond: boolean,
  workflowId: string,
  parentClosePolicy: ParentClosePolicy,
): Promise<unknown> {
  if (isSecond) return 'second';
  let isTold = false;
  setHandler(go, () => {
    isTold = true;
  });
  await startChild('waitForGo', { workflowId, parentClosePolicy });
  await condition(() => isTold);
  return continueAsNew<typeof parentThatContinues>(true, workflowId, parentClosePolicy);
}

/** Says that it was cancelled, after a while. */
export async function slowToCancel(): Promise<string> {
  try {
    await sleep(600_000);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => sleep(500));
    return 'cleaned up';
  }
  return 'slept';
}

export async function signalsOther(workflowId: string, runId?: string): Promise<unknown> {
  return outcomeOf(getExternalWorkflowHandle(workflowId, runId).signal(go, 'from another run'));
}

export async function cancelsOther(workflowId: string): Promise<unknown> {
  return outcomeOf(getExternalWorkflowHandle(workflowId).cancel());
}
