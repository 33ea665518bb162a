import type { Failure } from '../base/proto.js';
import { EventType, WorkflowTaskFailedCause } from '../base/proto.js';
import { toLong } from '../base/values.js';
import { record } from '../history/record.js';
import type { Execution, WorkflowTask } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { failAttempt, isTransient, writeSpeculative } from './schedule.js';

export type FailedCause = (typeof WorkflowTaskFailedCause)[keyof typeof WorkflowTaskFailedCause];

export interface TaskFailure {
  cause: FailedCause;
  failure: Failure | null;
  identity: string;
  /** Of a reset. */
  baseRunId?: string;
  newRunId?: string;
}

/** Writes that a started workflow task has failed. A repeated attempt leaves no event. */
export function recordTaskFailed(
  server: Server,
  execution: Execution,
  { task, ...failed }: TaskFailure & { task: WorkflowTask },
): void {
  writeSpeculative(server, execution, { task, identity: failed.identity });
  if (!isTransient(execution)) {
    record(server, execution, {
      eventType: EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED,
      workflowTaskFailedEventAttributes: {
        scheduledEventId: toLong(task.scheduledEventId),
        startedEventId: toLong(task.startedEventId ?? 0),
        cause: failed.cause,
        failure: failed.failure,
        identity: failed.identity,
        baseRunId: failed.baseRunId ?? '',
        newRunId: failed.newRunId ?? '',
      },
    });
  }
  failAttempt(execution, true);
  if (failed.cause === WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW) {
    execution.workflowTaskAttempt = 1;
  }
  if (failed.cause === WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND) {
    execution.isCloseAttempted = true;
  }
}
