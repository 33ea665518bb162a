import { EventType } from '../base/proto.js';
import { toLong } from '../base/values.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';

/** What a client learns of a run that it has started, or found. */
export function startAnswer(server: Server, execution: Execution) {
  return {
    runId: execution.runId,
    firstExecutionRunId: execution.firstRunId,
    status: execution.status,
    link: {
      workflowEvent: {
        namespace: server.namespace.name,
        workflowId: execution.workflowId,
        runId: execution.runId,
        eventRef: {
          eventId: toLong(1),
          eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,
        },
      },
    },
  };
}
