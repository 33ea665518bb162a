import type { z } from 'zod';

import { snapshotListSchema, snapshotSchema } from '../contract/api/volumes.js';
import { MAKER_TAG, MARKER_TAG, type Place } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { change, getOne, remove } from './cloud-calls.js';
import { isOfNamespace, readAllRows, tagOf } from './cloud-list.js';
import type { MarkedSearch } from './instances.js';

/** A snapshot, and what tells who made it. */
export interface MadeSnapshotView {
  id: string;
  status: string;
  volumeId: string;
  name?: string;
  /** In GiB. */
  size?: number;
  marker?: string;
  maker?: string;
  creatorTaskId?: string;
  /** The task that locks it. */
  lockTaskId?: string;
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
      /** Snapshots of the volume that carry the marker: the list has no filter for tags. `GET /cloud/v1/snapshots/…?volume_id=` */
      listMarkedSnapshots: (
        input: MarkedSearch & { volumeId: string },
      ): Promise<MadeSnapshotView[]> =>
        withPatientReads(api, async (reads) => {
          const path = paths.snapshots(input);
          const query = { volume_id: input.volumeId };
          const rows = await readAllRows(reads, { path, query, response: snapshotListSchema });
          return rows
            .map(toView)
            .filter(({ marker, maker }) => marker === input.marker && isOfNamespace(maker, input));
        }),

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

function toView(row: z.infer<typeof snapshotSchema>): MadeSnapshotView {
  const marker = tagOf(row, MARKER_TAG);
  const maker = tagOf(row, MAKER_TAG);
  return {
    id: row.id,
    status: row.status,
    volumeId: row.volume_id,
    ...(typeof row.name === 'string' && { name: row.name }),
    ...(typeof row.size === 'number' && { size: row.size }),
    ...(marker !== undefined && { marker }),
    ...(maker !== undefined && { maker }),
    ...(typeof row.creator_task_id === 'string' && { creatorTaskId: row.creator_task_id }),
    ...(typeof row.task_id === 'string' && { lockTaskId: row.task_id }),
  };
}
