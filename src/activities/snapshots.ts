import type { z } from 'zod';

import { snapshotSchema, volumeSchema } from '../contract/api/volumes.js';
import { MAKER_TAG, MARKER_TAG, type Place } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { change, getOne, remove, unlessNotFound } from './cloud-calls.js';
import { isOfNamespace, toMade, type Made } from './cloud-list.js';
import type { MarkedSearch } from './instances.js';
import { toVolumeView, type VolumeView } from './lookups.js';
import { readSnapshots } from './snapshot-of-volume.js';
import type { VolumeTarget } from './volume-actions.js';

/** A snapshot, and what tells who made it. */
export interface MadeSnapshotView extends Made {
  id: string;
  status: string;
  volumeId: string;
  name?: string;
  /** In GiB. */
  size?: number;
}

/** The last snapshot of a volume. */
export type LastSnapshot = Pick<MadeSnapshotView, 'id' | 'status'>;

/** A volume, and the snapshot that a revert brings back; null when it has none. */
export interface RevertibleVolume extends VolumeView {
  last: LastSnapshot | null;
}

export interface SnapshotTarget extends Place {
  snapshotId: string;
}

export interface CreateSnapshotInput extends Place {
  volumeId: string;
  name: string;
  description?: string | undefined;
  tags?: Record<string, string> | undefined;
  marker: string;
  maker: string;
}

export function createSnapshotActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /** Snapshots of the volume that carry the marker. `GET /cloud/v1/snapshots/…?volume_id=` */
      async listMarkedSnapshots(input: MarkedSearch & VolumeTarget): Promise<MadeSnapshotView[]> {
        const rows = await listOf(api, input);
        return rows
          .map(toView)
          .filter(({ marker, maker }) => marker === input.marker && isOfNamespace(maker, input));
      },

      /** The last snapshot of a volume; null when it has none. `GET /cloud/v1/snapshots/…?volume_id=` */
      async findLastSnapshot(input: VolumeTarget): Promise<LastSnapshot | null> {
        const [last] = newestFirst(await listOf(api, input), input);
        return last === undefined ? null : toLast(last);
      },

      /**
       * A volume, and the last of its snapshots that has not failed. Fails as `NotFound` when the volume is gone.
       * `GET /cloud/v1/volumes/…/{volume_id}`, `GET /cloud/v1/snapshots/…?volume_id=`, and what is unclear by its id
       */
      getRevertibleVolume: (input: VolumeTarget): Promise<RevertibleVolume> =>
        withPatientReads(api, (reads) => readRevertible(reads, input)),

      /** Fails as `NotFound` when it is gone. `GET /cloud/v1/snapshots/…/{snapshot_id}` */
      async getSnapshot(input: SnapshotTarget): Promise<MadeSnapshotView> {
        const path = paths.snapshot(input, input.snapshotId);
        return toView(await getOne(api, path, snapshotSchema));
      },
    },
    mutations: {
      /** `POST /cloud/v1/snapshots/{project_id}/{region_id}`. One attempt: see engine/send/send-once. */
      createSnapshot: (input: CreateSnapshotInput) =>
        change(api, {
          method: 'POST',
          path: paths.snapshots(input),
          body: {
            name: input.name,
            volume_id: input.volumeId,
            ...(input.description !== undefined && { description: input.description }),
            tags: { ...input.tags, [MARKER_TAG]: input.marker, [MAKER_TAG]: input.maker },
          },
        }),
    },
    deletes: {
      /** Deletes a snapshot. Returns no task ids when it was already gone. */
      deleteSnapshot: (input: SnapshotTarget) =>
        remove(api, paths.snapshot(input, input.snapshotId)),
    },
  } satisfies ActivityGroups;
}

type Row = z.infer<typeof snapshotSchema>;

function listOf(api: ApiClient, target: VolumeTarget): Promise<Row[]> {
  return withPatientReads(api, (reads) => readSnapshots(reads, target));
}

/** Compares again: a server that ignores the filter lists those of other volumes. */
function newestFirst(rows: readonly Row[], { volumeId }: VolumeTarget): Row[] {
  return rows
    .filter(({ volume_id: of }) => of === volumeId)
    .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
}

function toLast({ id, status }: Row): LastSnapshot {
  return { id, status };
}

/** A snapshot that its volume names and the list does not show is read by its id: it may be the last one. */
async function readRevertible(reads: ApiClient, target: VolumeTarget): Promise<RevertibleVolume> {
  const { volumeId, ...place } = target;
  const volume = await getOne(reads, paths.volume(place, volumeId), volumeSchema);
  const rows = await readSnapshots(reads, target);
  const isListed = (id: string): boolean => rows.some((row) => row.id === id);
  const readOne = (id: string) =>
    unlessNotFound(getOne(reads, paths.snapshot(place, id), snapshotSchema));
  for (const id of volume.snapshot_ids ?? []) {
    const unlisted = isListed(id) ? undefined : await readOne(id);
    if (unlisted !== undefined) rows.push(unlisted);
  }
  for (const row of newestFirst(rows, target)) {
    // `error` in one answer may be an error of that answer, and the API may revert to this one.
    const sure = row.status === FAILED ? await readOne(row.id) : row;
    if (sure?.status !== FAILED) return { ...toVolumeView(volume), last: toLast(sure ?? row) };
  }
  return { ...toVolumeView(volume), last: null };
}

/** A snapshot that was not made: there is nothing in it to revert to. */
const FAILED = 'error';

function toView(row: z.infer<typeof snapshotSchema>): MadeSnapshotView {
  return {
    id: row.id,
    status: row.status,
    volumeId: row.volume_id,
    ...(typeof row.name === 'string' && { name: row.name }),
    ...(typeof row.size === 'number' && { size: row.size }),
    ...toMade(row),
  };
}
