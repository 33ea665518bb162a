import type Long from 'long';
import type { coresdk, temporal } from '@temporalio/proto';

import { or, orNull, type HistoryEvent } from '../messages.js';

/** The first job of a run, as its first event says it. */
export function initializeWorkflow(
  event: HistoryEvent,
  run: { workflowId: string; seed: Long },
): coresdk.workflow_activation.IInitializeWorkflow {
  const started = or(event.workflowExecutionStartedEventAttributes, {});
  return {
    workflowType: or(started.workflowType?.name, ''),
    workflowId: run.workflowId,
    arguments: or(started.input?.payloads, []),
    randomnessSeed: run.seed,
    headers: or(started.header?.fields, {}),
    identity: or(started.identity, ''),
    parentWorkflowInfo: parentOf(started),
    workflowExecutionTimeout: orNull(started.workflowExecutionTimeout),
    workflowRunTimeout: orNull(started.workflowRunTimeout),
    workflowTaskTimeout: orNull(started.workflowTaskTimeout),
    continuedFromExecutionRunId: or(started.continuedExecutionRunId, ''),
    continuedInitiator: or(started.initiator, 0),
    continuedFailure: orNull(started.continuedFailure),
    lastCompletionResult: orNull(started.lastCompletionResult),
    firstExecutionRunId: or(started.firstExecutionRunId, ''),
    retryPolicy: orNull(started.retryPolicy),
    attempt: or(started.attempt, 0),
    cronSchedule: or(started.cronSchedule, ''),
    workflowExecutionExpirationTime: orNull(started.workflowExecutionExpirationTime),
    cronScheduleToScheduleInterval: orNull(started.firstWorkflowTaskBackoff),
    memo: orNull(started.memo),
    searchAttributes: orNull(started.searchAttributes),
    startTime: or(event.eventTime, {}),
    rootWorkflow: orNull(started.rootWorkflowExecution),
    priority: orNull(started.priority),
    originalExecutionRunId: or(started.originalExecutionRunId, ''),
  };
}

type Started = temporal.api.history.v1.IWorkflowExecutionStartedEventAttributes;

function parentOf(started: Started): coresdk.common.INamespacedWorkflowExecution | null {
  const { parentWorkflowExecution: parent, parentWorkflowNamespace: namespace } = started;
  if (!parent) return null;
  const { workflowId, runId } = parent;
  return { namespace: or(namespace, ''), workflowId: or(workflowId, ''), runId: or(runId, '') };
}
