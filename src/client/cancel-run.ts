import { randomUUID } from 'node:crypto';

import type { Client } from '@temporalio/client';

import { cancelReason } from '../engine/core/identity.js';
import { RunEndedError, RunNotFoundError } from './errors.js';
import { describeRun } from './describe-run.js';
import { GrpcCode, grpcCodeOf } from './grpc-code.js';

/**
 * Asks a run to cancel. A handle of the SDK gives no reason, and a reason is all that the run itself learns
 * about who asks.
 * @throws RunNotFoundError, RunEndedError
 */
export async function cancelRun(
  { client, by }: { client: Client; by: string },
  workflowId: string,
): Promise<void> {
  // The server accepts a cancel request for a closed run silently.
  const { status } = await describeRun(client, workflowId);
  if (status.name !== 'RUNNING') throw new RunEndedError(workflowId, status.name);
  const { namespace, identity } = client.options;
  try {
    await client.workflowService.requestCancelWorkflowExecution({
      ...{ namespace, identity },
      requestId: randomUUID(),
      workflowExecution: { workflowId },
      reason: cancelReason(by),
    });
  } catch (error) {
    throw grpcCodeOf(error) === GrpcCode.notFound ? new RunNotFoundError(workflowId) : error;
  }
}
