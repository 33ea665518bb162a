import { createHash } from 'node:crypto';

import { runOfActivity } from '../../engine/activities/run-of-activity.js';
import type { PrepareDeps } from './prepare-deps.js';
import { toMaker } from '../../engine/core/identity.js';
import { plannedIdOf } from '../../engine/core/names.js';

/** Tag values that the API accepts (api.md §1.4; the guide asks for at least three characters). */
const TAG_VALUE = /^[\x21-\x7e][\x20-\x7e]{1,253}[\x21-\x7e]$/;

/**
 * `<namespace>/<Workflow Id>`: the same for every attempt, repeat and re-run of one request, and
 * readable for a person who finds it in the cloud console. Hashed when a tag cannot hold it.
 */
export function toMarker(namespace: string, workflowId: string): string {
  const plain = `${namespace}/${workflowId}`;
  return TAG_VALUE.test(plain)
    ? plain
    : `sha256:${createHash('sha256').update(plain).digest('hex')}`;
}

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
