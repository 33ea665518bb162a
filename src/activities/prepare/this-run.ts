import { activityInfo } from '@temporalio/activity';

import { plannedIdOf } from '../../contract/names.js';
import { toMarker } from './to-marker.js';

/** Marker and id of the run that a local activity works for. */
export function thisRun(): { marker: string; workflowId: string } {
  const { namespace, workflowExecution } = activityInfo();
  if (workflowExecution === undefined) {
    throw new TypeError('prepare activities run inside a workflow only');
  }
  const { workflowId } = workflowExecution;
  // A plan looks for the same resources as its request.
  return { marker: toMarker(namespace, plannedIdOf(workflowId) ?? workflowId), workflowId };
}
