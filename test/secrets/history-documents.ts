import type { Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';

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
    const name = `history of ${workflowId}, event ${String(event.eventId)}`;
    const { input, rest } = splitEvent(event);
    if (input !== undefined) documents.inputs.push({ name, text: textOf(input) });
    documents.clean.push({ name, text: textOf(rest) });
  }
  const description = await handle.describe();
  documents.clean.push({ name: `description of ${workflowId}`, text: textOf(description.raw) });
  return documents;
}

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** The input of the run or of a sending activity, and everything else of the event. */
function splitEvent(event: HistoryEvent): { input?: unknown; rest: unknown } {
  const started = event.workflowExecutionStartedEventAttributes ?? undefined;
  const scheduled = event.activityTaskScheduledEventAttributes ?? undefined;
  const holder = HOLDING_ACTIVITIES.has(scheduled?.activityType?.name ?? '') ? scheduled : started;
  if (holder === undefined) return { rest: event };
  return { input: holder.input, rest: { ...holder, input: undefined } };
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
