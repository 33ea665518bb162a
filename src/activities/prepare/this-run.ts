import { activityInfo } from '@temporalio/activity';

import { toMaker } from '../../engine/core/maker.js';
import { plannedIdOf } from '../../engine/core/names.js';
import type { PrepareDeps } from './prepare-deps.js';
import { toMarker } from './to-marker.js';

/** Marker and id of the run that a local activity works for. */
export function thisRun(): { marker: string; workflowId: string } {
  const { workflowId } = execution();
  const { namespace } = activityInfo();
  // A plan looks for the same resources as its request.
  return { marker: toMarker(namespace, plannedIdOf(workflowId) ?? workflowId), workflowId };
}

function execution(): { workflowId: string; runId: string } {
  const { workflowExecution } = activityInfo();
  if (workflowExecution === undefined) {
    throw new TypeError('prepare activities run inside a workflow only');
  }
  return workflowExecution;
}

/** How the run signs what it makes, together with the marker of its request. */
export async function thisMaker({
  namespaceId,
}: Pick<PrepareDeps, 'namespaceId'>): Promise<{ maker: string }> {
  return { maker: toMaker(await namespaceId(), execution().runId) };
}
