import { paths } from '../contract/api/paths.js';
import { taskIdsSchema } from '../contract/api/common.js';
import { volumeListSchema } from '../contract/api/volume.js';
import { MARKER_TAG } from '../contract/names.js';
import type { Place } from '../contract/place.js';
import type { ActivityGroups } from './activity-groups.js';
import type { ApiClient } from './http/api-client.js';
import { startedRemoval, type StartedRemoval } from './instances.js';
import { LIST_LIMIT, tagFilter } from './cloud-list.js';

export function createVolumeActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /** Returns the ids of the volumes with the marker. `GET /cloud/v1/volumes/…?tag_key_value=` */
      async listVolumes(input: Place & { marker: string }): Promise<string[]> {
        const { results } = await api.request({
          method: 'GET',
          path: paths.volumes(input),
          query: { tag_key_value: tagFilter(MARKER_TAG, input.marker), limit: LIST_LIMIT },
          response: volumeListSchema,
          isList: true,
          repeatable: true,
        });
        return results
          .filter((volume) =>
            volume.tags.some((tag) => tag.key === MARKER_TAG && tag.value === input.marker),
          )
          .map((volume) => volume.id);
      },
    },
    deletes: {
      /** Deletes a volume. Returns no task ids when it was already gone. */
      async deleteVolume(input: Place & { volumeId: string }): Promise<StartedRemoval> {
        const path = paths.volume(input, input.volumeId);
        return startedRemoval(
          api.request({ method: 'DELETE', path, response: taskIdsSchema, repeatable: true }),
        );
      },
    },
  } satisfies ActivityGroups;
}
