import type { z } from 'zod';

import { snapshotListSchema, type snapshotSchema, type Volume } from '../contract/api/volumes.js';
import type { Place } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { readAllRows } from './cloud-list.js';
import type { VolumeTarget } from './volume-actions.js';

/** The list has a filter for volumes, and none for tags. A server that ignores the filter lists those of other volumes. */
export function readSnapshots(
  reads: ApiClient,
  { volumeId, ...place }: VolumeTarget,
): Promise<z.infer<typeof snapshotSchema>[]> {
  const list = { path: paths.snapshots(place), query: { volume_id: volumeId } };
  return readAllRows(reads, { ...list, response: snapshotListSchema });
}

/** The id of a snapshot of the volume; `undefined` when it has none. The answer need not say whether it has any. */
export async function snapshotOfVolume(
  reads: ApiClient,
  place: Place,
  { id, snapshot_ids: ids }: Volume,
): Promise<string | undefined> {
  if (Array.isArray(ids)) return ids[0];
  const { projectId, regionId } = place;
  const rows = await readSnapshots(reads, { projectId, regionId, volumeId: id });
  return rows.find(({ volume_id: of }) => of === id)?.id;
}
