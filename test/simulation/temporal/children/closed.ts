import type { HistoryEvent } from '../base/proto.js';
import { EventType, ParentClosePolicy, RetryState } from '../base/proto.js';
import { toLong } from '../base/values.js';
import { record, type NewEvent } from '../history/record.js';
import { commit } from '../workflow-tasks/commit.js';
import { HISTORY_SERVICE, terminateExecution } from '../executions/close.js';
import { requestCancel } from '../executions/signal.js';
import type { Child, Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { isRunning } from '../workflow-tasks/schedule.js';
import { scheduleWorkflowTask } from '../workflow-tasks/start.js';
import { soon } from './start-child.js';

const BY_POLICY = 'by parent close policy';

/** What the end of a run means to its parent and to its children. */
export function afterClose(server: Server, execution: Execution): void {
  soon(server, () => {
    // A run that goes on in another one has not ended for its parent.
    if (execution.newRunId === undefined && execution.resetRunId === undefined) {
      tellParent(server, execution);
    }
    if (execution.resetRunId === undefined) endChildren(server, execution);
  });
}

function endChildren(server: Server, parent: Execution): void {
  for (const child of parent.children.values()) {
    const run = newestRunOf(server, child);
    if (run === undefined || !isRunning(run)) continue;
    const policy = child.initiated.parentClosePolicy;
    if (policy === ParentClosePolicy.PARENT_CLOSE_POLICY_TERMINATE) {
      const ending = { reason: BY_POLICY, identity: HISTORY_SERVICE, details: null };
      terminateExecution(server, run, ending);
      commit(server, run);
    } else if (policy === ParentClosePolicy.PARENT_CLOSE_POLICY_REQUEST_CANCEL) {
      const { workflowId, runId } = parent;
      requestCancel(server, run, {
        reason: '',
        identity: HISTORY_SERVICE,
        from: { execution: { workflowId, runId }, initiatedEventId: 0 },
      });
    }
  }
}

/** The run of a child by now: it may have continued as new. */
function newestRunOf(server: Server, { workflowId, runId }: Child): Execution | undefined {
  if (runId === undefined) return undefined;
  const current = server.executions.current.get(workflowId);
  const first = server.executions.byRun.get(runId);
  return current?.firstRunId === first?.firstRunId ? current : undefined;
}

function tellParent(server: Server, execution: Execution): void {
  if (execution.parent === undefined) return;
  const parent = latestReset(server, server.executions.byRun.get(execution.parent.runId));
  const child = parent?.children.get(execution.parent.initiatedEventId);
  if (parent === undefined || child?.startedEvent === undefined || !isRunning(parent)) return;
  const last = execution.history.at(-1);
  const event =
    last === undefined ? undefined : endOf(last, commonFields(server, execution, child));
  if (event === undefined) return;
  parent.children.delete(child.initiatedEventId);
  record(server, parent, event);
  scheduleWorkflowTask(server, parent);
  commit(server, parent);
}

/** A parent that was reset goes on in another run, which has its children. */
function latestReset(server: Server, execution: Execution | undefined): Execution | undefined {
  let latest = execution;
  while (latest?.resetRunId !== undefined) {
    latest = server.executions.byRun.get(latest.resetRunId);
  }
  return latest;
}

type Common = ReturnType<typeof commonFields>;

function commonFields(server: Server, execution: Execution, child: Child) {
  return {
    namespace: server.namespace.name,
    namespaceId: server.namespace.id,
    workflowExecution: { workflowId: execution.workflowId, runId: execution.runId },
    workflowType: child.initiated.workflowType ?? null,
    initiatedEventId: toLong(child.initiatedEventId),
    startedEventId: child.startedEvent?.eventId ?? toLong(0),
  };
}

/** The event of the parent's history that the last one of the child becomes. */
function endOf(last: HistoryEvent, common: Common): NewEvent | undefined {
  const {
    workflowExecutionCompletedEventAttributes: completed,
    workflowExecutionFailedEventAttributes: failed,
    workflowExecutionCanceledEventAttributes: canceled,
    workflowExecutionTimedOutEventAttributes: timedOut,
    workflowExecutionTerminatedEventAttributes: terminated,
  } = last;
  if (completed) {
    return {
      eventType: EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_COMPLETED,
      childWorkflowExecutionCompletedEventAttributes: {
        result: completed.result ?? null,
        ...common,
      },
    };
  }
  if (failed) {
    return {
      eventType: EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_FAILED,
      childWorkflowExecutionFailedEventAttributes: {
        failure: failed.failure ?? null,
        retryState: failed.retryState ?? RetryState.RETRY_STATE_UNSPECIFIED,
        ...common,
      },
    };
  }
  if (canceled) {
    return {
      eventType: EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_CANCELED,
      childWorkflowExecutionCanceledEventAttributes: {
        details: canceled.details ?? null,
        ...common,
      },
    };
  }
  if (timedOut) {
    return {
      eventType: EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_TIMED_OUT,
      childWorkflowExecutionTimedOutEventAttributes: {
        retryState: timedOut.retryState ?? RetryState.RETRY_STATE_UNSPECIFIED,
        ...common,
      },
    };
  }
  if (!terminated) return undefined;
  return {
    eventType: EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_TERMINATED,
    childWorkflowExecutionTerminatedEventAttributes: common,
  };
}
