import type { Client } from '@temporalio/client';

import { operationSchemas, type Operations } from '../contract/operations/index.js';
import { orRunError } from './ask-run.js';
import { outlastServerOutage } from './server-calls.js';

interface AwaitedRun<O extends keyof Operations> {
  operation: O;
  workflowId: string;
  onServerAway?: (() => void) | undefined;
}

/** The result of a run, at its end. @throws RunFailedError, RunCancelledError, RunNotFoundError */
export async function awaitResult<O extends keyof Operations>(
  { workflow }: Client,
  { operation, workflowId, onServerAway }: AwaitedRun<O>,
): Promise<Operations[O]['result']> {
  const ended = outlastServerOutage(() => workflow.getHandle(workflowId).result(), onServerAway);
  const result: unknown = await orRunError(workflowId, ended);
  return operationSchemas[operation].result.parse(result);
}
