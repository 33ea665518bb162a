import type { Client } from '@temporalio/client';
import { z } from 'zod';

import { describeRun } from './ask-run.js';
import { decodeFailure, decodePayloads } from './explain/decode.js';
import { causeOf } from './explain/sentences.js';

const detailsSchema = z.object({ advice: z.string() }).partial().catch({});

/** How the newest run of an id has failed. */
export interface LastFailure {
  /** When its last history began; ISO 8601. */
  startedAt: string;
  type?: string;
  /** In one line, without the advice. */
  cause: string;
}

/**
 * The failure of a run, from the last event of its history: cheap, and needs no worker. `undefined` for a run that goes on
 * or did not fail. @throws RunNotFoundError
 */
export async function readFailure(
  client: Client,
  workflowId: string,
): Promise<LastFailure | undefined> {
  const { runId, status, startTime } = await describeRun(client, workflowId);
  if (status.name !== 'FAILED') return undefined;
  const { namespace, loadedDataConverter } = client.options;
  const execution = { workflowId, runId };
  const request = { namespace, execution, maximumPageSize: 1 };
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse(request);
  const failed = history?.events?.[0]?.workflowExecutionFailedEventAttributes;
  if (!failed?.failure) return undefined;
  const { message, type } = await decodeFailure(loadedDataConverter, failed.failure);
  const payloads = failed.failure.applicationFailureInfo?.details?.payloads ?? [];
  const [details] = await decodePayloads(loadedDataConverter, payloads.slice(0, 1));
  const { advice } = detailsSchema.parse(details);
  return {
    startedAt: startTime.toISOString(),
    ...(type !== undefined && { type }),
    cause: causeOf(message, advice === undefined ? {} : { advice }),
  };
}
