import type { Client } from '@temporalio/client';

import type { Document } from './canaries.js';

/** Activities whose input is documented to hold what the caller gave; the last one reads values back. */
const HOLDING_ACTIVITIES: ReadonlySet<string> = new Set([
  'createInstance',
  'sendKvChunk',
  'compareKvChunk',
]);

export interface HistoryDocuments {
  /** No secret may be here. */
  clean: Document[];
  /** Inputs of the workflow and of the sending activity. */
  inputs: Document[];
}

/** Every event of a run with all its payloads as text. */
export async function historyDocuments(
  client: Client,
  workflowId: string,
): Promise<HistoryDocuments> {
  const handle = client.workflow.getHandle(workflowId);
  const { events = [] } = await handle.fetchHistory();
  const documents: HistoryDocuments = { clean: [], inputs: [] };
  for (const event of events ?? []) {
    const { workflowExecutionStartedEventAttributes: started } = event;
    const { activityTaskScheduledEventAttributes: scheduled } = event;
    const isSending = HOLDING_ACTIVITIES.has(scheduled?.activityType?.name ?? '');
    const name = `history of ${workflowId}, event ${String(event.eventId)}`;
    const isInput = (started !== undefined && started !== null) || isSending;
    const input = started?.input ?? (isSending ? scheduled?.input : undefined);
    if (isInput) documents.inputs.push({ name, text: textOf(input) });
    // The rest of such an event is like any other event.
    const rest = isInput ? { ...started, ...scheduled, input: undefined } : event;
    documents.clean.push({ name, text: textOf(rest) });
  }
  const description = await handle.describe();
  documents.clean.push({ name: `description of ${workflowId}`, text: textOf(description.raw) });
  return documents;
}

/** All texts and bytes below a value. */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (typeof value === 'string') return value;
  if (!(value instanceof Object)) return '';
  return Object.entries(value)
    .map(([key, child]) => `${key} ${textOf(child)}`)
    .join('\n');
}
