import type { LoadedDataConverter, Payload } from '@temporalio/common';

import { DecryptionError } from '../codec/decryption-error.js';
import { decodePayloads, toIso } from './explain/decode.js';
import type { HistoryEvent } from './history-events.js';
import { isOperation } from './operations.js';

/** One call, timer or other run in the time of a run. Times are ISO 8601. */
export interface HistorySpan {
  kind: 'call' | 'timer' | 'run';
  /** What it is for, in the words that the Temporal UI shows: `watch task 03ce…`. */
  name: string;
  from: string;
  /** Missing while it goes on. */
  to?: string;
  end?: 'done' | 'failed' | 'cancelled';
  /** More than one when it was repeated. */
  attempts?: number;
  /** Workflow Id, for another run. */
  workflowId?: string;
}

/** @param events oldest first. What began before them is left out. */
export async function spansOf(
  events: readonly HistoryEvent[],
  converter: LoadedDataConverter,
): Promise<HistorySpan[]> {
  const spans = new Map<string, HistorySpan>();
  for (const event of events) {
    const begun = beginOf(event);
    if (begun !== undefined) {
      const { key, name, ...span } = begun;
      const said = await summaryOf(event, converter);
      spans.set(key, { ...span, name: said ?? name, from: toIso(event.eventTime) });
    }
    const news = repeatOf(event) ?? endOf(event);
    const span = news && spans.get(news.key);
    if (news && span) spans.set(news.key, { ...span, ...news.what });
  }
  return [...spans.values()];
}

/** What an event tells of a span that began before. */
interface News {
  key: string;
  what: Partial<HistorySpan>;
}

/** Temporal writes the start of a call, with its last attempt, when the call ends. */
function repeatOf({ activityTaskStartedEventAttributes: started }: HistoryEvent): News | undefined {
  if (!started) return undefined;
  const { attempt, scheduledEventId } = started;
  const what = attempt && attempt > 1 ? { attempts: attempt } : {};
  return { key: keyOf('call', scheduledEventId), what };
}

function keyOf(kind: HistorySpan['kind'], id: unknown): string {
  return `${kind} ${String(id)}`;
}

type Begin = Pick<HistorySpan, 'kind' | 'name' | 'workflowId'> & { key: string };

function beginOf(event: HistoryEvent): Begin | undefined {
  const { eventId } = event;
  const call = event.activityTaskScheduledEventAttributes;
  if (call) {
    return {
      key: keyOf('call', eventId),
      kind: 'call',
      name: call.activityType?.name ?? 'a call',
    };
  }
  const timer = event.timerStartedEventAttributes;
  if (timer) return { key: keyOf('timer', timer.timerId), kind: 'timer', name: 'a timer' };
  const child = event.startChildWorkflowExecutionInitiatedEventAttributes;
  if (!child) return undefined;
  const { workflowId } = child;
  const name = child.workflowType?.name ?? '';
  // Locks and deliveries go on for as long as the run: it does not wait for them.
  if (!workflowId || !isOperation(name)) return undefined;
  return { key: keyOf('run', eventId), kind: 'run', name, workflowId };
}

interface End {
  key: string;
  end: NonNullable<HistorySpan['end']>;
}

function endOf(event: HistoryEvent): News | undefined {
  const ended = callEndOf(event) ?? timerEndOf(event) ?? runEndOf(event);
  return ended && { key: ended.key, what: { to: toIso(event.eventTime), end: ended.end } };
}

function callEndOf(event: HistoryEvent): End | undefined {
  const done = event.activityTaskCompletedEventAttributes;
  const failed =
    event.activityTaskFailedEventAttributes ?? event.activityTaskTimedOutEventAttributes;
  const cancelled = event.activityTaskCanceledEventAttributes;
  const one = done ?? failed ?? cancelled;
  if (!one) return undefined;
  return { key: keyOf('call', one.scheduledEventId), end: wordOf(done, failed) };
}

function timerEndOf(event: HistoryEvent): End | undefined {
  const done = event.timerFiredEventAttributes;
  const one = done ?? event.timerCanceledEventAttributes;
  return one ? { key: keyOf('timer', one.timerId), end: wordOf(done, undefined) } : undefined;
}

function runEndOf(event: HistoryEvent): End | undefined {
  const done = event.childWorkflowExecutionCompletedEventAttributes;
  const failed =
    event.childWorkflowExecutionFailedEventAttributes ??
    event.childWorkflowExecutionTimedOutEventAttributes ??
    event.childWorkflowExecutionTerminatedEventAttributes ??
    event.startChildWorkflowExecutionFailedEventAttributes;
  const one = done ?? failed ?? event.childWorkflowExecutionCanceledEventAttributes;
  return one ? { key: keyOf('run', one.initiatedEventId), end: wordOf(done, failed) } : undefined;
}

function wordOf(done: unknown, failed: unknown): End['end'] {
  if (done) return 'done';
  return failed ? 'failed' : 'cancelled';
}

/** The summary of the event. Without the key of a codec nobody can read it. */
async function summaryOf(
  { userMetadata }: HistoryEvent,
  converter: LoadedDataConverter,
): Promise<string | undefined> {
  const encoded: Payload[] = userMetadata?.summary ? [userMetadata.summary] : [];
  try {
    const [summary] = await decodePayloads(converter, encoded);
    return typeof summary === 'string' && summary !== '' ? summary : undefined;
  } catch (error) {
    if (error instanceof DecryptionError) return undefined;
    throw error;
  }
}
