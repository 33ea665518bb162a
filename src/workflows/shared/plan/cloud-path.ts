import type { Place } from '../../../activities/place.js';

/** `/cloud/v1/instances/1/2`; the activities' own function is no part of the workflow bundle. */
export function cloudPathOf(collection: string, { projectId, regionId }: Place): string {
  return `/cloud/v1/${collection}/${projectId}/${regionId}`;
}
