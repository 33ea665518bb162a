import { z } from 'zod';

import { snapshotListSchema } from '../contract/api/volumes.js';
import type { Place } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { StartedTasks } from '../engine/core/tasks.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { change } from './cloud-calls.js';
import { readAllRows } from './cloud-list.js';

export interface VolumeTarget extends Place {
  volumeId: string;
}

/** A snapshot of a volume. */
export interface SnapshotView {
  id: string;
  status: string;
}

/** What changes a volume that exists. Each call makes one attempt: see engine/send/change-once. */
export function createVolumeActionActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /** The last snapshot of a volume; null when it has none. `GET /cloud/v1/snapshots/…?volume_id=` */
      findLastSnapshot: ({ volumeId, ...place }: VolumeTarget): Promise<SnapshotView | null> =>
        withPatientReads(api, async (reads) => {
          const path = paths.snapshots(place);
          const query = { volume_id: volumeId };
          const rows = await readAllRows(reads, { path, query, response: snapshotListSchema });
          const [last] = rows
            // Compares again here: a server that ignores the filter lists those of other volumes.
            .filter(({ volume_id: of }) => of === volumeId)
            .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
          return last === undefined ? null : { id: last.id, status: last.status };
        }),
    },
    mutations: {
      /** `POST /cloud/v1/volumes/…/{volume_id}/extend`. `size`: of the whole volume, in GiB. */
      extendVolume: ({ volumeId, size, ...place }: VolumeTarget & { size: number }) =>
        change(api, {
          method: 'POST',
          path: paths.extendVolume(place, volumeId),
          body: { size: size },
        }),

      /** `POST /cloud/v2/volumes/…/{volume_id}/attach` */
      attachVolume: ({ volumeId, instanceId, ...place }: VolumeTarget & { instanceId: string }) =>
        change(api, {
          method: 'POST',
          path: paths.attachVolume(place, volumeId),
          body: { instance_id: instanceId },
        }),

      /** `POST /cloud/v2/volumes/…/{volume_id}/detach` */
      detachVolume: ({ volumeId, instanceId, ...place }: VolumeTarget & { instanceId: string }) =>
        change(api, {
          method: 'POST',
          path: paths.detachVolume(place, volumeId),
          body: { instance_id: instanceId },
        }),

      /**
       * Reverts a volume to its last snapshot. `POST /cloud/v1/volumes/…/{volume_id}/revert`: the answer is empty, so
       * its task is found in the list.
       */
      async revertVolume({ volumeId, ...place }: VolumeTarget): Promise<StartedTasks> {
        await api.request({
          method: 'POST',
          path: paths.revertVolume(place, volumeId),
          response: z.unknown(),
          repeatable: false,
        });
        return { taskIds: [] };
      },
    },
  } satisfies ActivityGroups;
}
