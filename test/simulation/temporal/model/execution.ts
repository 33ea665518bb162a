import type { Cancel } from '../../time/clock.js';
import type {
  Failure,
  HistoryEvent,
  Payload,
  Payloads,
  Priority,
  RetryPolicy,
  StartedAttributes,
  Status,
} from '../base/proto.js';
import type { Update } from './update.js';

/** How a workflow task came to be: what it leaves in the history depends on it. */
export type WorkflowTaskKind = 'normal' | 'speculative';

export interface WorkflowTask {
  kind: WorkflowTaskKind;
  scheduledEventId: number;
  /** Undefined until a worker has it. */
  startedEventId: number | undefined;
  attempt: number;
  requestId: string;
  identity: string;
  timeoutMs: number;
  scheduledAt: number;
  startedAt: number;
  /** Of the first of a chain of heartbeats. */
  originalScheduledAt: number;
  suggestContinueAsNew: boolean;
  historySizeBytes: number;
  cancelTimeout: Cancel | undefined;
}

/** The queue of the worker that has the run in its cache. */
export interface Sticky {
  name: string;
  scheduleToStartMs: number;
}

export interface PauseInfo {
  requestId: string;
  identity: string;
  reason: string;
  pausedAt: number;
}

export interface Activity {
  readonly scheduledEventId: number;
  readonly activityId: string;
  readonly type: string;
  readonly scheduled: NonNullable<HistoryEvent['activityTaskScheduledEventAttributes']>;
  taskQueue: string;
  scheduleToCloseMs: number;
  scheduleToStartMs: number;
  startToCloseMs: number;
  heartbeatMs: number;
  retryPolicy: RetryPolicy;
  priority: Priority | undefined;
  attempt: number;
  firstScheduledAt: number;
  /** Of this attempt: in the future while it backs off. */
  scheduledAt: number;
  startedAt: number | undefined;
  requestId: string;
  identity: string;
  lastIdentity: string;
  lastFailure: Failure | undefined;
  lastAttemptCompletedAt: number | undefined;
  heartbeatDetails: Payloads | undefined;
  heartbeatAt: number | undefined;
  cancelRequestedEventId: number | undefined;
  pause: PauseInfo | undefined;
  /** An operator has asked for a new first attempt while one runs. */
  isReset: boolean;
  resetsHeartbeats: boolean;
  /** Tasks and timers of an earlier stamp are void. */
  stamp: number;
}

export interface Timer {
  readonly timerId: string;
  readonly startedEventId: number;
  readonly firesAt: number;
}

export interface Child {
  readonly initiatedEventId: number;
  readonly workflowId: string;
  readonly initiated: NonNullable<
    HistoryEvent['startChildWorkflowExecutionInitiatedEventAttributes']
  >;
  /** Set once it has been started. */
  runId: string | undefined;
  /** Its event in the parent's history. The id is set once it is written. */
  startedEvent: HistoryEvent | undefined;
}

/** A query that waits for the next answer of a workflow task. */
export interface BufferedQuery {
  readonly id: string;
  readonly query: object;
  /** What it came to. `unblocked`: it may go to a worker directly now. */
  readonly settle: (result: QueryOutcome) => void;
}

export type QueryOutcome =
  { kind: 'answered'; result: object } | { kind: 'unblocked' } | { kind: 'failed'; error: Error };

export interface Parent {
  readonly workflowId: string;
  readonly runId: string;
  readonly initiatedEventId: number;
}

/** One run: its history, and the state that follows from it. The server calls this mutable state. */
export interface Execution {
  readonly workflowId: string;
  readonly runId: string;
  readonly firstRunId: string;
  readonly originalRunId: string;
  readonly createRequestId: string;
  readonly started: StartedAttributes;
  readonly startedAt: number;
  /** When its first workflow task may begin. */
  readonly executionAt: number;
  readonly parent: Parent | undefined;
  readonly root: { workflowId: string; runId: string };
  readonly type: string;
  taskQueue: string;
  readonly workflowTaskTimeoutMs: number;
  readonly priority: Priority | undefined;
  status: Status;
  closedAt: number | undefined;
  /** The truth. Only appended to. */
  readonly history: HistoryEvent[];
  /** Events that came while a worker had a workflow task: they have no id yet. */
  buffered: HistoryEvent[];
  historySizeBytes: number;
  stateTransitions: number;
  memo: Record<string, Payload>;
  searchAttributes: Record<string, Payload>;
  workflowTask: WorkflowTask | undefined;
  /** Of the next workflow task. Above 1 it leaves no events until it completes. */
  workflowTaskAttempt: number;
  /** Started event of the last completed workflow task, 0 before. */
  previousStartedEventId: number;
  sticky: Sticky | undefined;
  readonly activities: Map<number, Activity>;
  readonly activityIds: Map<string, number>;
  readonly timers: Map<string, Timer>;
  readonly children: Map<number, Child>;
  readonly externalSignals: Map<number, string>;
  readonly externalCancels: Set<number>;
  readonly updates: Map<string, Update>;
  readonly queries: Map<string, BufferedQuery>;
  readonly signalRequestIds: Set<string>;
  readonly requestIds: Map<string, { eventId: number; eventType: number }>;
  isCancelRequested: boolean;
  isCloseAttempted: boolean;
  executionExpiresAt: number | undefined;
  runExpiresAt: number | undefined;
  /** The run that follows this one, by continue-as-new or retry. */
  newRunId: string | undefined;
  /** The run that a reset has made of this one. */
  resetRunId: string | undefined;
  autoResetPoint: { eventId: number; createdAt: number; buildId: string } | undefined;
  /** Long polls that wait for an event. */
  readonly watchers: Set<() => void>;
  readonly wakes: Map<string, { at: number; cancel: Cancel }>;
  isDeleted: boolean;
}
