import { activityInfo } from '@temporalio/activity';

import { toMarker } from './to-marker.js';

/** Of the run that a local activity works for. */
export function thisRun(): { marker: string; workflowId: string } {
  const { namespace, workflowExecution } = activityInfo();
  if (workflowExecution === undefined) {
    throw new TypeError('prepare activities run inside a workflow only');
  }
  const { workflowId } = workflowExecution;
  return { marker: toMarker(namespace, workflowId), workflowId };
}
