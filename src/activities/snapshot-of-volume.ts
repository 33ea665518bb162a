import type { z } from 'zod';

import {
  snapshotListSchema,
  volumeSchema,
  type snapshotSchema,
  type Volume,
} from '../contract/api/volumes.js';
import type { Place } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import { beforeSending } from '../engine/activities/before-sending.js';
import { FailureType } from '../engine/core/failures.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { toApplicationFailure } from '../engine/http/describe-failure.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { attachedTo } from './attached-to.js';
import { getOne, unlessNotFound } from './cloud-calls.js';
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
  return Array.isArray(ids) ? ids[0] : listedSnapshotOf(reads, place, id);
}

async function listedSnapshotOf(
  reads: ApiClient,
  { projectId, regionId }: Place,
  id: string,
): Promise<string | undefined> {
  const rows = await readSnapshots(reads, { projectId, regionId, volumeId: id });
  return rows.find(({ volume_id: of }) => of === id)?.id;
}

interface ToDelete {
  place: Place;
  volumeIds: readonly string[];
  /** The instance that they go with; left out where they have none. */
  instanceId?: string;
}

/**
 * How others use these volumes, in words, by their ids: as what somebody has taken a snapshot of, or has attached to another
 * instance too. That there is no snapshot takes two answers, as one may lack it: its own and a list, or two lists. A volume
 * that does not show counts as unused: nothing says that it is used.
 */
export function usesBeforeDelete(
  api: ApiClient,
  { place, volumeIds, instanceId }: ToDelete,
): Promise<ReadonlyMap<string, string>> {
  const readOne = async (reads: ApiClient, id: string): Promise<[string, string][]> => {
    const volume = await unlessNotFound(getOne(reads, paths.volume(place, id), volumeSchema));
    if (volume === undefined) return [];
    const other = attachedTo(volume).attachedTo?.find((holder) => holder !== instanceId);
    if (instanceId !== undefined && other !== undefined) {
      return [[id, `somebody has attached it to instance ${other} too`]];
    }
    const first = await snapshotOfVolume(reads, place, volume);
    const snapshotId = first ?? (await listedSnapshotOf(reads, place, id));
    return snapshotId === undefined
      ? []
      : [[id, `somebody has taken the snapshot ${snapshotId} of it`]];
  };
  return beforeSending(() =>
    withPatientReads(api, async (reads) => {
      const found = await Promise.all(volumeIds.map((id) => readOne(reads, id)));
      return new Map(found.flat());
    }),
  );
}

/** Blocks a delete that would take it: the API may delete the snapshots of a volume with it. @param use in words */
export function usedFailure(volumeId: string, use: string): Error {
  return toApplicationFailure({
    type: FailureType.removalBlocked,
    message: `Volume ${volumeId} would be deleted, and ${use}`,
    details: {},
  });
}
