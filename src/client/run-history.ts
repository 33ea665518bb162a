import {
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import type { Payload, SerializationContext } from '@temporalio/common';

import { DecryptionError } from '../codec/decryption-error.js';
import { startedByOf, type StartedBy } from '../engine/core/identity.js';
import { describeAsked, type AskedRun } from './ask-run.js';
import { decodePayloads } from './explain/decode.js';
import {
  carriedOutBy,
  correctedInputIn,
  orUndefinedWhenGone,
  resumeOf,
  type HistoryEvent,
} from './history-events.js';
import { newestEventsOf } from './history-pages.js';
import { spansOf, type HistorySpan } from './history-spans.js';

/** A value that Temporal stores with a run, or why it is not given. */
export type StoredValue =
  { bytes: number; value: unknown } | { bytes: number; left: 'too-large' | 'unreadable' };

/** What the history of a run shows without a worker. */
export interface RunHistory {
  /** When its first history began, while the server has that; ISO 8601. */
  startedAt: string;
  startedBy?: StartedBy;
  /** What the run works on: the newest input that it has taken. Missing when the history is gone. */
  input?: StoredValue;
  /** The input is not that of the start. */
  isCorrected: boolean;
  /** Of a run that has succeeded. */
  result?: StoredValue;
  /** Calls, timers and runs that it has started, the oldest first: those of the newest events. */
  spans: HistorySpan[];
  /** There are older events. */
  isCut: boolean;
}

const NEWEST_WRITES = 100;

/**
 * Reads the beginning and the end of a history, however long it is. A value of more than `mostBytes` is not decoded.
 * @throws RunNotFoundError, RunEndedError when another run has the Workflow Id of a named Run Id now
 */
export async function readHistory(
  client: Client,
  asked: AskedRun,
  mostBytes: number,
): Promise<RunHistory> {
  return readHistoryOf(client, await describeAsked(client, asked), mostBytes);
}

/** The same of a run as the server has just described it. */
export async function readHistoryOf(
  client: Client,
  run: WorkflowExecutionDescription,
  mostBytes: number,
): Promise<RunHistory> {
  const { workflowId } = run;
  const [newest, startedAt] = await Promise.all([
    newestEventsOf(client, run, NEWEST_WRITES),
    firstStartOf(client, run),
  ]);
  const first = await firstOf(client, run, newest);
  const reader = { client, workflowId, mostBytes };
  const corrected = await correctedInput(reader, newest);
  const input = corrected ?? (await readValue(reader, inputOf(first)));
  const result = await readValue(reader, resultOf(newest));
  const startedBy = startedByOf(run.memo);
  return {
    startedAt,
    ...(startedBy !== undefined && { startedBy }),
    ...(input !== undefined && { input }),
    isCorrected: corrected !== undefined,
    ...(result !== undefined && { result }),
    spans: await spansOf(newest.toReversed(), client.options.loadedDataConverter),
    isCut: newest.length > 0 && !newest.some(isFirst),
  };
}

async function firstOf(
  { workflowService, options: { namespace } }: Client,
  { workflowId, runId }: WorkflowExecutionDescription,
  newest: readonly HistoryEvent[],
): Promise<HistoryEvent | undefined> {
  const known = newest.find(isFirst);
  if (known !== undefined || newest.length === 0) return known;
  const execution = { workflowId, runId };
  const page = await workflowService
    .getWorkflowExecutionHistory({ namespace, execution, maximumPageSize: 1 })
    .catch(orUndefinedWhenGone);
  return page?.history?.events?.find(isFirst);
}

function isFirst({ workflowExecutionStartedEventAttributes: started }: HistoryEvent): boolean {
  return Boolean(started);
}

/** A long run goes on in a new history, which the server may keep for longer than the first one. */
async function firstStartOf(
  client: Client,
  { workflowId, runId, startTime, raw }: WorkflowExecutionDescription,
): Promise<string> {
  const firstRunId = raw.workflowExecutionInfo?.firstRunId;
  if (!firstRunId || firstRunId === runId) return startTime.toISOString();
  const first = client.workflow.getHandle(workflowId, firstRunId).describe();
  const known = await first.catch((error: unknown) => {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  });
  return (known?.startTime ?? startTime).toISOString();
}

interface Reader {
  client: Client;
  workflowId: string;
  mostBytes: number;
}

type Payloads = readonly Payload[];

function inputOf(first: HistoryEvent | undefined): Payloads {
  return first?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
}

function resultOf([last]: readonly HistoryEvent[]): Payloads {
  return last?.workflowExecutionCompletedEventAttributes?.result?.payloads ?? [];
}

/** @returns `undefined` without a payload */
async function readValue(reader: Reader, payloads: Payloads): Promise<StoredValue | undefined> {
  const [payload] = payloads;
  if (payload === undefined) return undefined;
  const { client, workflowId, mostBytes } = reader;
  const bytes = payload.data?.length ?? 0;
  if (bytes > mostBytes) return { bytes, left: 'too-large' };
  const { namespace, loadedDataConverter } = client.options;
  const owner: SerializationContext = { type: 'workflow', namespace, workflowId };
  try {
    const [value] = await decodePayloads(loadedDataConverter, [payload], owner);
    return { bytes, value };
  } catch (error) {
    // The key is missing, or the payload belongs to another run.
    if (error instanceof DecryptionError) return { bytes, left: 'unreadable' };
    throw error;
  }
}

/** The last input that the run has taken with `resume`, as far as the newest events show it. */
async function correctedInput(
  reader: Reader,
  newest: readonly HistoryEvent[],
): Promise<StoredValue | undefined> {
  const carriedOut = new Set(newest.map(carriedOutBy));
  for (const event of newest) {
    const asked = resumeOf(event);
    if (asked === undefined || !carriedOut.has(asked.updateId)) continue;
    const corrected = inputIn(await readValue(reader, asked.payloads));
    if (corrected !== undefined) return corrected;
  }
  return undefined;
}

/** The input in the argument of `resume`. Of one that cannot be read nobody knows whether it has one. */
function inputIn(asked: StoredValue | undefined): StoredValue | undefined {
  if (asked === undefined || 'left' in asked) return asked;
  const value = correctedInputIn(asked.value);
  return value === undefined ? undefined : { bytes: asked.bytes, value };
}
