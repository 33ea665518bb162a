import type { temporal } from '@temporalio/proto';

import {
  EventType,
  ResetReapplyExcludeType,
  ResetReapplyType,
  RetryState,
  UpdateAdmittedEventOrigin,
  WorkflowTaskFailedCause,
} from '../base/proto.js';
import type { Failure, HistoryEvent } from '../base/proto.js';
import { invalidArgument } from '../base/grpc-error.js';
import { toNumber } from '../base/values.js';
import { recordActivityFailed } from '../activities/finish.js';
import { dispatchActivityAt } from '../activities/schedule.js';
import { cancelExternalSoon, signalExternalSoon } from '../children/external.js';
import { startChildSoon } from '../children/start-child.js';
import { HISTORY_SERVICE, terminateExecution } from '../executions/close.js';
import { blankExecution } from '../executions/create.js';
import { findExecution } from '../executions/find.js';
import { record } from '../history/record.js';
import { drawId } from '../model/ids.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { newUpdate } from '../updates/registry.js';
import { commit } from '../workflow-tasks/commit.js';
import { recordTaskFailed } from '../workflow-tasks/fail.js';
import { isRunning, recordStarted } from '../workflow-tasks/schedule.js';
import { scheduleWorkflowTask } from '../workflow-tasks/start.js';
import { applyEvent, rebuild } from './rebuild.js';

type Request = temporal.api.workflowservice.v1.IResetWorkflowExecutionRequest;

/** Begins a run again from one of its workflow tasks. @throws GrpcError for an event that is none */
export function resetExecution(server: Server, request: Request): object {
  const base = findExecution(server, request.workflowExecution);
  const finishId = toNumber(request.workflowTaskFinishEventId);
  if (finishId <= 1 || finishId > base.history.length) {
    throw invalidArgument('Workflow task finish ID must be > 1 && <= workflow last event ID.');
  }
  const current = server.executions.current.get(base.workflowId) ?? base;
  if (request.requestId && current.createRequestId === request.requestId) {
    return { runId: current.runId };
  }
  const execution = forked(server, base, { finishId, request });
  const later = eventsAfter(server, base, finishId);
  base.resetRunId = execution.runId;
  giveWay(server, current, { execution, reason: request.reason ?? '' });
  begin(server, execution, { base, request, later });
  return { runId: execution.runId };
}

function forked(
  server: Server,
  base: Execution,
  { finishId, request }: { finishId: number; request: Request },
): Execution {
  const execution = blankExecution(server, {
    workflowId: base.workflowId,
    runId: drawId(server.draw),
    requestId: request.requestId ?? '',
    attributes: base.started,
    firstRunId: base.firstRunId,
    originalRunId: base.originalRunId,
    parent: base.parent,
    root: base.root,
  });
  if (isWithinBatch(base.history[finishId - 1])) {
    throw invalidArgument(
      `StateRebuilder unable to Rebuild mutable state to event ID: ${finishId - 1}, version: 0, this event must be at the boundary`,
    );
  }
  rebuild(server, execution, base.history.slice(0, finishId - 1));
  if (execution.workflowTask === undefined) {
    throw invalidArgument(
      `Can only reset workflow to event ID in range [WorkflowTaskScheduled +1, WorkflowTaskStarted + 1]: ${finishId}`,
    );
  }
  return execution;
}

/** Whether an event was written together with the one before it: what a worker asks for, and that it has asked. */
function isWithinBatch(event: HistoryEvent | undefined): boolean {
  return Object.values(event ?? {}).some(
    (attributes: unknown) =>
      typeof attributes === 'object' &&
      attributes !== null &&
      'workflowTaskCompletedEventId' in attributes,
  );
}

/** What has come since, in this run and in those that continue it. */
function eventsAfter(server: Server, base: Execution, finishId: number): HistoryEvent[] {
  const events = base.history.slice(finishId - 1);
  let next = followerOf(server, base);
  while (next !== undefined) {
    events.push(...next.history);
    next = followerOf(server, next);
  }
  return events;
}

function followerOf(server: Server, { newRunId }: Execution): Execution | undefined {
  return newRunId === undefined ? undefined : server.executions.byRun.get(newRunId);
}

function giveWay(
  server: Server,
  current: Execution,
  { execution, reason }: { execution: Execution; reason: string },
): void {
  if (!isRunning(current)) return;
  current.resetRunId = execution.runId;
  terminateExecution(server, current, { reason, identity: 'history-resetter', details: null });
  commit(server, current);
}

function begin(
  server: Server,
  execution: Execution,
  { base, request, later }: { base: Execution; request: Request; later: readonly HistoryEvent[] },
): void {
  const { runId, workflowId } = execution;
  server.executions.byRun.set(runId, execution);
  server.executions.current.set(workflowId, execution);
  server.hooks.created(execution);
  const failure: Failure = { message: request.reason ?? '', resetWorkflowFailureInfo: {} };
  failTask(server, execution, { baseRunId: base.runId, failure });
  failStarted(server, execution, failure);
  reapply(server, execution, { request, later });
  scheduleWorkflowTask(server, execution);
  resume(server, execution);
  commit(server, execution);
}

function failTask(
  server: Server,
  execution: Execution,
  { baseRunId, failure }: { baseRunId: string; failure: Failure },
): void {
  const task = execution.workflowTask;
  if (task === undefined) return;
  if (task.startedEventId === undefined) {
    Object.assign(task, { identity: HISTORY_SERVICE, startedAt: server.clock.now() });
    recordStarted(server, execution, task);
  }
  recordTaskFailed(server, execution, {
    task,
    cause: WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW,
    failure,
    identity: HISTORY_SERVICE,
    baseRunId,
    newRunId: execution.runId,
  });
}

/** What a worker had of the old run does not come back: its activities fail. */
function failStarted(server: Server, execution: Execution, failure: Failure): void {
  for (const activity of [...execution.activities.values()]) {
    if (activity.startedAt === undefined) continue;
    activity.startedAt = undefined;
    recordActivityFailed(server, execution, {
      activity,
      identity: activity.identity,
      failure,
      retryState: RetryState.RETRY_STATE_NON_RETRYABLE_FAILURE,
    });
  }
}

/** Signals, updates and the ends of children that came after the point of the reset come again. */
function reapply(
  server: Server,
  execution: Execution,
  { request, later }: { request: Request; later: readonly HistoryEvent[] },
): void {
  const excluded = excludedTypes(request);
  for (const event of later) {
    reapplyChild(server, execution, event);
    if (!excluded.has(ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL)) {
      reapplySignal(server, execution, event);
    }
    if (!excluded.has(ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_UPDATE)) {
      reapplyUpdate(server, execution, event);
    }
  }
}

function excludedTypes(request: Request): Set<number> {
  const excluded = new Set<number>(request.resetReapplyExcludeTypes ?? []);
  const signal = ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL;
  const update = ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_UPDATE;
  // The older way to say it.
  const type = request.resetReapplyType;
  if (type === ResetReapplyType.RESET_REAPPLY_TYPE_NONE) excluded.add(signal).add(update);
  if (type === ResetReapplyType.RESET_REAPPLY_TYPE_SIGNAL) excluded.add(update);
  return excluded;
}

function reapplySignal(server: Server, execution: Execution, event: HistoryEvent): void {
  const signaled = event.workflowExecutionSignaledEventAttributes;
  if (!signaled) return;
  record(server, execution, {
    eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED,
    workflowExecutionSignaledEventAttributes: {
      signalName: signaled.signalName ?? '',
      input: signaled.input ?? null,
      identity: signaled.identity ?? '',
      header: signaled.header ?? null,
      requestId: signaled.requestId ?? '',
    },
  });
}

/** What became of a child that the run has at this point. */
function reapplyChild(server: Server, execution: Execution, event: HistoryEvent): void {
  const found = childEventOf(event);
  if (found === undefined) return;
  const [name, told] = found;
  const child = execution.children.get(toNumber(told.initiatedEventId));
  if (child === undefined || told.workflowExecution?.workflowId !== child.workflowId) return;
  const again = { eventType: event.eventType ?? null, [name]: { ...told } };
  applyEvent(server, execution, record(server, execution, again));
}

type ChildEvent = NonNullable<
  | HistoryEvent['childWorkflowExecutionStartedEventAttributes']
  | HistoryEvent['childWorkflowExecutionTerminatedEventAttributes']
>;

function childEventOf(event: HistoryEvent): [string, ChildEvent] | undefined {
  const names = [
    'childWorkflowExecutionStartedEventAttributes',
    'childWorkflowExecutionCompletedEventAttributes',
    'childWorkflowExecutionFailedEventAttributes',
    'childWorkflowExecutionCanceledEventAttributes',
    'childWorkflowExecutionTimedOutEventAttributes',
    'childWorkflowExecutionTerminatedEventAttributes',
  ] as const;
  for (const name of names) {
    const told = event[name];
    if (told) return [name, told];
  }
  return undefined;
}

function reapplyUpdate(server: Server, execution: Execution, event: HistoryEvent): void {
  const request =
    event.workflowExecutionUpdateAdmittedEventAttributes?.request ??
    event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest;
  if (!request) return;
  record(server, execution, {
    eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ADMITTED,
    workflowExecutionUpdateAdmittedEventAttributes: {
      request,
      origin: UpdateAdmittedEventOrigin.UPDATE_ADMITTED_EVENT_ORIGIN_REAPPLY,
    },
  });
  const id = request.meta?.updateId ?? '';
  execution.updates.set(id, newUpdate(server, id, undefined));
}

/** Has what is pending done in the new run. Its timers follow from its state. */
function resume(server: Server, execution: Execution): void {
  for (const activity of execution.activities.values()) {
    const at = server.clock.now();
    activity.firstScheduledAt = at;
    dispatchActivityAt(server, execution, { activity, at });
  }
  for (const child of execution.children.values()) {
    if (child.runId === undefined) startChildSoon(server, execution, child);
  }
  const initiatedBy = (id: number): HistoryEvent | undefined => execution.history[id - 1];
  for (const id of [...execution.externalSignals.keys()]) {
    const event = initiatedBy(id);
    if (event !== undefined) signalExternalSoon(server, execution, event);
  }
  for (const id of [...execution.externalCancels]) {
    const event = initiatedBy(id);
    if (event !== undefined) cancelExternalSoon(server, execution, event);
  }
}
