import { describe, expect, it } from '@jest/globals';
import proto from '@temporalio/proto';

import { failedTasksIn } from '../support/replay/failed-tasks-in.js';

const { WorkflowTaskFailedCause: Cause } = proto.temporal.api.enums.v1;

function historyWith(cause: number, message: string) {
  const failed = { cause, failure: { message } };
  return {
    workflowId: 'run-1',
    history: { events: [{ eventId: 4, workflowTaskFailedEventAttributes: failed }] },
  };
}

describe('a history', () => {
  it('names the workflow tasks that the code failed, although the run went on', () => {
    const failure = Cause.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE;

    expect(failedTasksIn(historyWith(failure, 'no notifier yet'))).toEqual([
      'run-1, event 4, a workflow task failed: no notifier yet',
    ]);
  });

  it('names no task that the server begins again because something has arrived', () => {
    const arrived = Cause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND;

    expect(failedTasksIn(historyWith(arrived, 'UnhandledCommand'))).toEqual([]);
  });
});
