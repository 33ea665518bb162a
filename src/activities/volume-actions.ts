import type { Place } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { StartedTasks } from '../engine/core/tasks.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { change, changeAtOnce } from './cloud-calls.js';

export interface VolumeTarget extends Place {
  volumeId: string;
}

/** What changes a volume that exists. Each call makes one attempt: see engine/send/change-once. */
export function createVolumeActionActivities({ api }: { api: ApiClient }) {
  return {
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
        await changeAtOnce(api, { method: 'POST', path: paths.revertVolume(place, volumeId) });
        return { taskIds: [] };
      },
    },
  } satisfies ActivityGroups;
}
