import proto from '@temporalio/proto';
import type { google, temporal } from '@temporalio/proto';

/** Temporal's enumerations, under their own names. */
export const {
  CancelExternalWorkflowExecutionFailedCause,
  CommandType,
  ContinueAsNewInitiator,
  EventType,
  HistoryEventFilterType,
  IndexedValueType,
  ParentClosePolicy,
  PendingActivityState,
  PendingWorkflowTaskState,
  QueryRejectCondition,
  QueryResultType,
  ResetReapplyExcludeType,
  ResetReapplyType,
  RetryState,
  SignalExternalWorkflowExecutionFailedCause,
  StartChildWorkflowExecutionFailedCause,
  TaskQueueKind,
  TaskQueueType,
  TimeoutType,
  UpdateAdmittedEventOrigin,
  UpdateWorkflowExecutionLifecycleStage,
  WorkflowExecutionStatus,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowTaskFailedCause,
} = proto.temporal.api.enums.v1;

export type Status = temporal.api.enums.v1.WorkflowExecutionStatus;

export type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
export type EventTypeValue = temporal.api.enums.v1.EventType;
export type Command = temporal.api.command.v1.ICommand;
export type Failure = temporal.api.failure.v1.IFailure;
export type Payload = temporal.api.common.v1.IPayload;
export type Payloads = temporal.api.common.v1.IPayloads;
export type Header = temporal.api.common.v1.IHeader;
export type Priority = temporal.api.common.v1.IPriority;
export type RetryPolicy = temporal.api.common.v1.IRetryPolicy;
export type WorkflowExecutionId = temporal.api.common.v1.IWorkflowExecution;
export type TaskQueueProto = temporal.api.taskqueue.v1.ITaskQueue;
export type Message = temporal.api.protocol.v1.IMessage;
export type Duration = google.protobuf.IDuration;
export type Timestamp = google.protobuf.ITimestamp;
export type StartedAttributes = temporal.api.history.v1.IWorkflowExecutionStartedEventAttributes;
