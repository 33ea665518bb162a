import { activityInfo } from '@temporalio/activity';

/** The run that the running activity works for. */
export interface RunOfActivity {
  namespace: string;
  workflowId: string;
  runId: string;
}

export function runOfActivity(): RunOfActivity {
  const { namespace, workflowExecution } = activityInfo();
  if (workflowExecution === undefined) {
    throw new TypeError('this activity runs inside a workflow only');
  }
  return { namespace, ...workflowExecution };
}
