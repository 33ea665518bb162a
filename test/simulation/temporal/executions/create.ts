import type { StartedAttributes } from '../base/proto.js';
import { EventType, WorkflowExecutionStatus } from '../base/proto.js';
import { toLong, toMs, toTimestamp } from '../base/values.js';
import { record } from '../history/record.js';
import { commit } from '../workflow-tasks/commit.js';
import { atTime } from '../history/wakes.js';
import type { Execution, Parent } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { isRunning } from '../workflow-tasks/schedule.js';
import { scheduleWorkflowTask } from '../workflow-tasks/start.js';

export interface NewExecution {
  workflowId: string;
  runId: string;
  requestId: string;
  /** What the started event says, beyond what follows from the rest. */
  attributes: StartedAttributes;
  firstRunId?: string;
  originalRunId?: string;
  parent?: Parent | undefined;
  root?: { workflowId: string; runId: string } | undefined;
  executionExpiresAt?: number | undefined;
  metadata?: object | null;
}

const DEFAULT_TASK_MS = 10_000;

/** A new run with nothing in its history. */
export function blankExecution(server: Server, options: NewExecution): Execution {
  const { attributes, runId, workflowId } = options;
  const now = server.clock.now();
  const backoff = toMs(attributes.firstWorkflowTaskBackoff);
  const execution: Execution = {
    workflowId,
    runId,
    firstRunId: options.firstRunId ?? runId,
    originalRunId: options.originalRunId ?? runId,
    createRequestId: options.requestId,
    startedAt: now,
    executionAt: now + backoff,
    parent: options.parent,
    root: options.root ?? { workflowId, runId },
    ...fromAttributes(attributes),
    executionExpiresAt:
      options.executionExpiresAt ?? expiry(now, attributes.workflowExecutionTimeout),
    runExpiresAt: undefined,
    ...emptyState(),
  };
  execution.runExpiresAt = runExpiry(execution);
  return execution;
}

function fromAttributes(attributes: StartedAttributes) {
  return {
    started: attributes,
    type: attributes.workflowType?.name ?? '',
    taskQueue: attributes.taskQueue?.name ?? '',
    workflowTaskTimeoutMs: toMs(attributes.workflowTaskTimeout) || DEFAULT_TASK_MS,
    priority: attributes.priority ?? undefined,
    memo: { ...attributes.memo?.fields },
    searchAttributes: { ...attributes.searchAttributes?.indexedFields },
  };
}

function expiry(now: number, timeout: StartedAttributes['workflowExecutionTimeout']) {
  const ms = toMs(timeout);
  return ms > 0 ? now + ms : undefined;
}

function runExpiry({ started, executionAt, executionExpiresAt }: Execution): number | undefined {
  const ms = toMs(started.workflowRunTimeout);
  const own = ms > 0 ? executionAt + ms : undefined;
  if (own === undefined || executionExpiresAt === undefined) return own ?? executionExpiresAt;
  return Math.min(own, executionExpiresAt);
}

function emptyState() {
  return {
    status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING,
    closedAt: undefined,
    history: [],
    buffered: [],
    historySizeBytes: 0,
    stateTransitions: 0,
    workflowTask: undefined,
    workflowTaskAttempt: 1,
    previousStartedEventId: 0,
    sticky: undefined,
    activities: new Map(),
    activityIds: new Map(),
    timers: new Map(),
    children: new Map(),
    externalSignals: new Map(),
    externalCancels: new Set<number>(),
    updates: new Map(),
    queries: new Map(),
    signalRequestIds: new Set<string>(),
    requestIds: new Map(),
    isCancelRequested: false,
    isCloseAttempted: false,
    newRunId: undefined,
    resetRunId: undefined,
    autoResetPoint: undefined,
    watchers: new Set<() => void>(),
    wakes: new Map(),
    isDeleted: false,
  };
}

/** Begins a run: its first event is written, nothing is dispatched yet. */
export function createExecution(server: Server, options: NewExecution): Execution {
  const execution = blankExecution(server, options);
  const { workflowId, runId } = execution;
  server.executions.byRun.set(runId, execution);
  server.executions.current.set(workflowId, execution);
  server.hooks.created(execution);
  record(server, execution, {
    eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,
    workflowExecutionStartedEventAttributes: {
      ...options.attributes,
      ...(options.parent !== undefined && parentAttributes(server, execution)),
      originalExecutionRunId: execution.originalRunId,
      firstExecutionRunId: execution.firstRunId,
      attempt: options.attributes.attempt ?? 1,
      firstWorkflowTaskBackoff: options.attributes.firstWorkflowTaskBackoff ?? null,
      ...(execution.executionExpiresAt !== undefined && {
        workflowExecutionExpirationTime: toTimestamp(execution.executionExpiresAt),
      }),
      workflowId,
    },
    userMetadata: options.metadata ?? null,
  });
  execution.requestIds.set(options.requestId, {
    eventId: 1,
    eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,
  });
  return execution;
}

function parentAttributes(server: Server, { parent, root }: Execution): StartedAttributes {
  if (parent === undefined) return {};
  return {
    parentWorkflowNamespace: server.namespace.name,
    parentWorkflowNamespaceId: server.namespace.id,
    parentWorkflowExecution: { workflowId: parent.workflowId, runId: parent.runId },
    parentInitiatedEventId: toLong(parent.initiatedEventId),
    rootWorkflowExecution: root,
  };
}

/** Schedules the first workflow task, at once or after the wait that the run began with. */
export function scheduleFirstWorkflowTask(server: Server, execution: Execution): void {
  if (execution.executionAt <= server.clock.now()) {
    scheduleWorkflowTask(server, execution);
    return;
  }
  atTime(server, execution.executionAt, () => {
    if (!isRunning(execution) || hadWorkflowTask(execution)) return;
    scheduleWorkflowTask(server, execution);
    commit(server, execution);
  });
}

export function hadWorkflowTask(execution: Execution): boolean {
  return execution.workflowTask !== undefined || execution.previousStartedEventId !== 0;
}

/** Whether the first workflow task waits for a time that has not come. */
export function isBackingOff(server: Server, execution: Execution): boolean {
  return execution.executionAt > server.clock.now() && !hadWorkflowTask(execution);
}
