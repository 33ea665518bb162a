import {
  WorkflowFailedError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import { TerminatedFailure } from '@temporalio/common';

import { operationSchemas, type Operations } from '../contract/operations/index.js';
import { describeNamed, describeRun, firstRunIdOf, toRunError, type AskedRun } from './ask-run.js';
import { outlastServerOutage } from './server-calls.js';

interface AwaitedRun extends AskedRun {
  onServerAway?: (() => void) | undefined;
}

/** The result of a run, at its end. @throws RunFailedError, RunCancelledError, RunNotFoundError */
export async function awaitResult<O extends keyof Operations>(
  client: Client,
  { operation, ...awaited }: AwaitedRun & { operation: O },
): Promise<Operations[O]['result']> {
  const result = await awaitEnd(client, awaited);
  return operationSchemas[operation].result.parse(result);
}

/** The same for any run, unread. Whoever names no Run Id means the run that is the newest now, and none that comes later. */
export async function awaitEnd(
  client: Client,
  { onServerAway, ...asked }: AwaitedRun,
): Promise<unknown> {
  const { workflowId } = asked;
  const outlast = <T>(ask: () => Promise<T>): Promise<T> => outlastServerOutage(ask, onServerAway);
  let run = await outlast(() => describeNamed(client, asked));
  for (;;) {
    const { runId } = run;
    try {
      return await outlast(() => client.workflow.getHandle(workflowId, runId).result());
    } catch (error) {
      const next = isTerminated(error) ? await outlast(() => laterHistory(client, run)) : undefined;
      if (next === undefined) throw toRunError(workflowId, error);
      run = next;
    }
  }
}

function isTerminated(error: unknown): boolean {
  return error instanceof WorkflowFailedError && error.cause instanceof TerminatedFailure;
}

/** A reset terminates a history, which does not say that its run goes on in another one. */
async function laterHistory(
  client: Client,
  run: WorkflowExecutionDescription,
): Promise<WorkflowExecutionDescription | undefined> {
  const newest = await describeRun(client, run.workflowId);
  const isLater = newest.runId !== run.runId && firstRunIdOf(newest) === firstRunIdOf(run);
  return isLater ? newest : undefined;
}
