import type { Client } from '@temporalio/client';
import type { LoadedDataConverter } from '@temporalio/common';
import proto from '@temporalio/proto';
import { z } from 'zod';

import { isoOf } from '../../engine/core/times.js';
import { toIdentity } from '../../engine/core/identity.js';
import { abortUpdate, pauseUpdate, resumeUpdate } from '../../engine/core/messages.js';
import { updateRequestOf, type HistoryEvent } from '../history-events.js';
import { newestEventsOf } from '../history-pages.js';
import { decodeFailure, decodePayloads, toIso, toMs } from './decode.js';
import { readAsked } from './asked.js';
import type { Past } from './run-facts.js';

const { EventType, WorkflowTaskFailedCause } = proto.temporal.api.enums.v1;

/** The last events explain a run, even one that waits for months. */
const NEWEST_WRITES = 200;

/** What the newest events of a run show. */
export async function readPast(client: Client, workflowId: string, runId: string): Promise<Past> {
  const events = await newestEventsOf(client, { workflowId, runId }, NEWEST_WRITES);
  return toPast(events, client.options.loadedDataConverter);
}

/** @param found newest first. */
export async function toPast(
  found: readonly HistoryEvent[],
  converter: LoadedDataConverter,
): Promise<Past> {
  const events = withoutRefused(found);
  const pausedAt = pausedSince(events);
  const workflowTaskFailure = await workflowTaskFailureOf(events, converter);
  const cancelled = find(events, 'workflowExecutionCancelRequestedEventAttributes');
  const terminated = find(events, 'workflowExecutionTerminatedEventAttributes');
  const end = terminated?.workflowExecutionTerminatedEventAttributes;
  const lastCall = lastCallOf(events);
  const started = events.at(-1)?.workflowExecutionStartedEventAttributes;
  return {
    timers: await openTimers(events, converter),
    ...(lastCall === undefined ? {} : { lastCall }),
    ...(workflowTaskFailure === undefined ? {} : { workflowTaskFailure }),
    ...(pausedAt === undefined ? {} : { pausedAt }),
    asked: await readAsked(events, converter),
    ...(started && { startedBy: toIdentity(started.identity) }),
    ...(cancelled === undefined ? {} : { cancelRequestedAt: toIso(cancelled.eventTime) }),
    ...(end ? { terminated: { by: end.identity ?? '', reason: end.reason ?? '' } } : {}),
    ...(await resultsOf(events, converter)),
  };
}

/** Without the updates that the run has not accepted, and those that it has refused after that, such as a wrong correction. */
function withoutRefused(events: readonly HistoryEvent[]): HistoryEvent[] {
  const accepted = new Set(
    events.map((event) => event.workflowExecutionUpdateAcceptedEventAttributes?.protocolInstanceId),
  );
  const refused = new Set(
    events.flatMap(({ workflowExecutionUpdateCompletedEventAttributes: end }) =>
      end?.outcome?.failure ? [end.meta?.updateId] : [],
    ),
  );
  return events.filter((event) => {
    const asked = updateRequestOf(event);
    const updateId = asked?.meta?.updateId;
    return asked === undefined || (accepted.has(updateId) && !refused.has(updateId));
  });
}

function find(
  events: readonly HistoryEvent[],
  attributes: keyof HistoryEvent,
): HistoryEvent | undefined {
  return events.find((event) => Boolean(event[attributes]));
}

async function openTimers(
  events: readonly HistoryEvent[],
  converter: LoadedDataConverter,
): Promise<Past['timers']> {
  const over = new Set(
    events.flatMap((event) => [
      event.timerFiredEventAttributes?.timerId,
      event.timerCanceledEventAttributes?.timerId,
    ]),
  );
  const open = events.filter(({ timerStartedEventAttributes: timer }) => {
    return timer && !over.has(timer.timerId);
  });
  return Promise.all(
    open.map(async ({ timerStartedEventAttributes: timer, eventTime, userMetadata }) => {
      const firesAt = toMs(eventTime) + toMs(timer?.startToFireTimeout);
      const encoded = userMetadata?.summary ? [userMetadata.summary] : [];
      const [summary] = await decodePayloads(converter, encoded);
      return { firesAt: isoOf(firesAt), ...(typeof summary === 'string' && { summary }) };
    }),
  );
}

function lastCallOf(events: readonly HistoryEvent[]): Past['lastCall'] {
  const end = find(events, 'activityTaskCompletedEventAttributes');
  if (end === undefined) return undefined;
  const id = end.activityTaskCompletedEventAttributes?.scheduledEventId;
  const start = id ? events.find(({ eventId }) => eventId?.equals(id)) : undefined;
  const name = start?.activityTaskScheduledEventAttributes?.activityType?.name ?? 'a call';
  return { name, endedAt: toIso(end.eventTime) };
}

/** Temporal repeats the task at once, and the worker has no fault: a reset, or news at the end of a run. */
const NO_FAULTS: ReadonlySet<unknown> = new Set([
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW,
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_UPDATE,
]);

/** The failure of the last workflow task; `undefined` when a later one completed. */
async function workflowTaskFailureOf(
  events: readonly HistoryEvent[],
  converter: LoadedDataConverter,
): Promise<Past['workflowTaskFailure']> {
  const last = events.find(
    ({ eventType }) =>
      eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED ||
      eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED,
  );
  const { failure, cause } = last?.workflowTaskFailedEventAttributes ?? {};
  if (last === undefined || !failure || NO_FAULTS.has(cause)) return undefined;
  const { message, type } = await decodeFailure(converter, failure);
  return {
    at: toIso(last.eventTime),
    message: message === '' ? 'no message' : message,
    ...(type !== undefined && { type }),
  };
}

const PAUSE_UPDATES: ReadonlySet<string> = new Set([
  pauseUpdate.name,
  resumeUpdate.name,
  abortUpdate.name,
]);

/** Start of the current pause. Resuming, aborting and cancelling end a pause. */
function pausedSince(events: readonly HistoryEvent[]): string | undefined {
  const last = events.find(
    (event) =>
      Boolean(event.workflowExecutionCancelRequestedEventAttributes) ||
      PAUSE_UPDATES.has(updateOf(event) ?? ''),
  );
  return updateOf(last) === pauseUpdate.name ? toIso(last?.eventTime) : undefined;
}

function updateOf(event: HistoryEvent | undefined): string | undefined {
  return (event && updateRequestOf(event)?.input?.name) ?? undefined;
}

const startedTasksSchema = z.object({ taskIds: z.array(z.string()) });
const endedTaskSchema = z.object({
  created: z.object({
    instances: z.array(z.string()),
    volumes: z.array(z.string()),
    floatingIps: z.array(z.string()),
  }),
});

/** Tasks and resources named in the API's answers. */
async function resultsOf(
  events: readonly HistoryEvent[],
  converter: LoadedDataConverter,
): Promise<Pick<Past, 'taskIds' | 'resourceIds'>> {
  const taskIds = new Set<string>();
  const resourceIds = new Set<string>();
  for (const { activityTaskCompletedEventAttributes: call } of events) {
    const [result] = await decodePayloads(converter, call?.result?.payloads ?? []);
    const started = startedTasksSchema.safeParse(result);
    started.data?.taskIds.forEach((id) => taskIds.add(id));
    const ended = endedTaskSchema.safeParse(result);
    const { instances = [], volumes = [], floatingIps = [] } = ended.data?.created ?? {};
    for (const id of [...instances, ...volumes, ...floatingIps]) resourceIds.add(id);
  }
  return { taskIds: [...taskIds], resourceIds: [...resourceIds] };
}
