// JavaScript, because replay-server.js runs as a separate process.
import proto from '@temporalio/proto';

const { WorkflowTaskFailedCause: Cause } = proto.temporal.api.enums.v1;

/** The server begins these tasks again, because something arrived meanwhile or an operator reset the run. */
const OF_THE_SERVER = new Set([
  Cause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
  Cause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_UPDATE,
  Cause.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW,
  Cause.WORKFLOW_TASK_FAILED_CAUSE_RESET_STICKY_TASK_QUEUE,
  Cause.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND,
  Cause.WORKFLOW_TASK_FAILED_CAUSE_FAILOVER_CLOSE_COMMAND,
]);

/**
 * Which workflow tasks the code failed; empty if none. The server tries such a task again, so the run may still end
 * well: only its history shows the defect.
 */
export function failedTasksIn({ workflowId, history }) {
  return (history.events ?? []).flatMap(({ eventId, workflowTaskFailedEventAttributes: failed }) =>
    failed && !OF_THE_SERVER.has(failed.cause)
      ? [`${workflowId}, event ${eventId}, a workflow task failed: ${failed.failure?.message}`]
      : [],
  );
}
