import type { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import type proto from '@temporalio/proto';
import { z } from 'zod';

import { resumeUpdate } from '../../engine/core/messages.js';
import { decodePayloads } from '../explain/decode.js';
import { GrpcCode, grpcCodeOf } from '../grpc-code.js';

type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent;

const resumeSchema = z.object({ input: z.unknown() }).partial().catch({});

/**
 * The input that a run was started with, then each corrected input that it has accepted. Empty when
 * the history is gone. Reads the whole history, so call it only when the digest differs.
 */
export async function earlierInputs(
  client: Client,
  run: { workflowId: string; runId: string },
): Promise<unknown[]> {
  const inputs: unknown[] = [];
  const corrections = new Map<string, unknown>();
  const reader = { client, workflowId: run.workflowId };
  for await (const event of eventsOf(client, run)) {
    const started = event.workflowExecutionStartedEventAttributes;
    if (started) inputs.push(await decodeFirst(reader, started.input?.payloads));
    const asked = await correctionOf(reader, event);
    if (asked !== undefined) corrections.set(asked.updateId, asked.input);
    const updateId = carriedOutBy(event);
    if (updateId !== undefined && corrections.has(updateId)) inputs.push(corrections.get(updateId));
  }
  return inputs;
}

interface Reader {
  client: Client;
  workflowId: string;
}

/** The corrected input that an update brings to the run. */
async function correctionOf(
  reader: Reader,
  { workflowExecutionUpdateAcceptedEventAttributes: accepted }: HistoryEvent,
): Promise<{ updateId: string; input: unknown } | undefined> {
  const { input: message, meta } = accepted?.acceptedRequest ?? {};
  if (message?.name !== resumeUpdate.name || !meta?.updateId) return undefined;
  const { input } = resumeSchema.parse(await decodeFirst(reader, message.args?.payloads));
  return input === undefined ? undefined : { updateId: meta.updateId, input };
}

/** The update that the run has carried out. It refuses a correction with faults, and keeps its input. */
function carriedOutBy({
  workflowExecutionUpdateCompletedEventAttributes: completed,
}: HistoryEvent): string | undefined {
  return completed?.outcome?.success ? (completed.meta?.updateId ?? undefined) : undefined;
}

async function decodeFirst(
  { client, workflowId }: Reader,
  payloads: readonly Payload[] | null | undefined,
): Promise<unknown> {
  const { namespace, loadedDataConverter } = client.options;
  const [first] = await decodePayloads(loadedDataConverter, payloads?.slice(0, 1) ?? [], {
    type: 'workflow',
    namespace,
    workflowId,
  });
  return first;
}

async function* eventsOf(
  client: Client,
  { workflowId, runId }: { workflowId: string; runId: string },
): AsyncGenerator<HistoryEvent> {
  const { namespace } = client.options;
  const execution = { workflowId, runId };
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const request = { namespace, execution, nextPageToken };
    const page = await client.workflowService
      .getWorkflowExecutionHistory(request)
      .catch(orUndefinedWhenGone);
    yield* page?.history?.events ?? [];
    nextPageToken = page?.nextPageToken ?? new Uint8Array();
  } while (nextPageToken.length > 0);
}

function orUndefinedWhenGone(error: unknown): undefined {
  if (grpcCodeOf(error) === GrpcCode.notFound) return undefined;
  throw error;
}
