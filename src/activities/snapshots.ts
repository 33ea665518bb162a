import type { z } from 'zod';

import { snapshotListSchema, snapshotSchema } from '../contract/api/volumes.js';
import { MAKER_TAG, MARKER_TAG, type Place } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { change, getOne, remove } from './cloud-calls.js';
import { isOfNamespace, readAllRows, toMade, type Made } from './cloud-list.js';
import type { MarkedSearch } from './instances.js';
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

/** The snapshot that a revert brings back. */
export type LastSnapshot = Pick<MadeSnapshotView, 'id' | 'status'>;

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
        const rows = await listOf(api, input);
        const [last] = rows
          // Compares again here: a server that ignores the filter lists those of other volumes.
          .filter(({ volume_id: of }) => of === input.volumeId)
          .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
        return last === undefined ? null : { id: last.id, status: last.status };
      },

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

/** The list has a filter for volumes, and none for tags. */
function listOf(api: ApiClient, { volumeId, ...place }: VolumeTarget) {
  const list = { path: paths.snapshots(place), query: { volume_id: volumeId } };
  return withPatientReads(api, (reads) =>
    readAllRows(reads, { ...list, response: snapshotListSchema }),
  );
}

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
