import { runOfActivity } from '../../engine/activities/run-of-activity.js';
import type { PrepareDeps } from './prepare-deps.js';
import { toMarker } from '../../contract/marker.js';
import { toMaker } from '../../engine/core/identity.js';
import { plannedIdOf } from '../../engine/core/names.js';

/** Marker and id of the run that a local activity works for. */
export function thisRun(): { marker: string; workflowId: string } {
  const { namespace, workflowId } = runOfActivity();
  // A plan looks for the same resources as its request.
  return { marker: toMarker(namespace, plannedIdOf(workflowId) ?? workflowId), workflowId };
}

/** How the run signs what it makes, together with the marker of its request. */
export async function thisMaker({
  namespaceId,
}: Pick<PrepareDeps, 'namespaceId'>): Promise<{ maker: string }> {
  return { maker: toMaker(await namespaceId(), runOfActivity().runId) };
}
