import { paths } from '../contract/wire/paths.js';
import { volumeListSchema } from '../contract/api/volumes.js';
import { MAKER_TAG, MARKER_TAG, type Place } from '../contract/wire/names.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import type { MarkedSearch } from './instances.js';
import { remove } from './cloud-calls.js';
import { isOfNamespace, readAllRows, tagFilter, tagOf } from './cloud-list.js';

export interface MarkedVolumeSearch extends MarkedSearch {
  /** Only what these runs made; null stands for volumes that name no run. All of them when left out. */
  makers?: readonly (string | null)[] | undefined;
}

export function createVolumeActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /** Returns the ids of the volumes with the marker. `GET /cloud/v1/volumes/…?tag_key_value=` */
      async listVolumes(input: MarkedVolumeSearch): Promise<string[]> {
        const volumes = await withPatientReads(api, (reads) =>
          readAllRows(reads, {
            path: paths.volumes(input),
            query: { tag_key_value: tagFilter(MARKER_TAG, input.marker) },
            response: volumeListSchema,
          }),
        );
        return volumes
          .filter((volume) => {
            const maker = tagOf(volume, MAKER_TAG);
            const isMade = input.makers?.includes(maker ?? null) ?? true;
            return (
              tagOf(volume, MARKER_TAG) === input.marker && isMade && isOfNamespace(maker, input)
            );
          })
          .map((volume) => volume.id);
      },
    },
    deletes: {
      /** Deletes a volume. Returns no task ids when it was already gone. */
      deleteVolume: (input: Place & { volumeId: string }) =>
        remove(api, paths.volume(input, input.volumeId)),
    },
  } satisfies ActivityGroups;
}
