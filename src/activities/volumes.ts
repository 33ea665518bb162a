import { paths } from '../contract/wire/paths.js';
import { volumeListSchema, volumeSchema, type Volume } from '../contract/api/volumes.js';
import type { CreateVolumeInput } from '../contract/operations/types.js';
import { MAKER_TAG, MARKER_TAG, type Place } from '../contract/wire/names.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { StartedRemoval } from '../engine/core/tasks.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import type { MarkedSearch } from './instances.js';
import { attachedTo } from './attached-to.js';
import { change, getOne, remove } from './cloud-calls.js';
import { isOfNamespace, readAllRows, tagFilter, tagOf, toMade, type Made } from './cloud-list.js';
import { usedFailure, usesBeforeDelete } from './snapshot-of-volume.js';
import type { VolumeTarget } from './volume-actions.js';

export interface MarkedVolumeSearch extends MarkedSearch {
  /** Only what these runs made; null stands for volumes that name no run. All of them when left out. */
  makers?: readonly (string | null)[] | undefined;
}

/** A volume, who made it, and who uses it. */
export interface MadeVolumeView extends Made {
  id: string;
  status: string;
  name?: string;
  /** In GiB. */
  size?: number;
  type?: string;
  /** The image that it, or what it was made from, was made from. */
  imageId?: string;
  /** Ids of the instances that have it; missing when the API does not say which. */
  attachedTo?: string[];
}

/** What is made, by the fields of the input. */
export interface NewVolume
  extends
    Place,
    Pick<
      CreateVolumeInput,
      'source' | 'name' | 'size' | 'imageId' | 'snapshotId' | 'typeName' | 'tags'
    > {
  marker: string;
  maker: string;
}

export function createVolumeActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /** Returns the ids of the volumes with the marker. `GET /cloud/v1/volumes/…?tag_key_value=` */
      async listVolumes(input: MarkedVolumeSearch): Promise<string[]> {
        const volumes = await listMarked(api, input);
        return volumes
          .filter((volume) => {
            const maker = tagOf(volume, MAKER_TAG);
            return input.makers?.includes(maker ?? null) ?? true;
          })
          .map((volume) => volume.id);
      },

      /** The same, with what a run needs to know of each. */
      async listMarkedVolumes(input: MarkedSearch): Promise<MadeVolumeView[]> {
        return (await listMarked(api, input)).map(toView);
      },

      /** Fails as `NotFound` when it is gone. `GET /cloud/v1/volumes/…/{volume_id}` */
      async getMarkedVolume({ volumeId, ...place }: VolumeTarget): Promise<MadeVolumeView> {
        return toView(await getOne(api, paths.volume(place, volumeId), volumeSchema));
      },
    },
    mutations: {
      /** `POST /cloud/v1/volumes/{project_id}/{region_id}`. One attempt: see engine/send/send-once. */
      createVolume: (input: NewVolume) =>
        change(api, { method: 'POST', path: paths.volumes(input), body: toBody(input) }),
    },
    deletes: {
      /**
       * Deletes a volume. Returns no task ids when it was already gone. With `unlessSnapshots` it fails as `RemovalBlocked` while
       * there is a snapshot of it: the API may delete that too.
       */
      async deleteVolume({
        volumeId,
        unlessSnapshots,
        ...place
      }: VolumeTarget & { unlessSnapshots?: boolean }): Promise<StartedRemoval> {
        const volumeIds = unlessSnapshots === true ? [volumeId] : [];
        const [taken] = await usesBeforeDelete(api, { place, volumeIds });
        if (taken !== undefined) throw usedFailure(...taken);
        return remove(api, paths.volume(place, volumeId));
      },
    },
  } satisfies ActivityGroups;
}

async function listMarked(api: ApiClient, search: MarkedSearch): Promise<Volume[]> {
  const list = {
    path: paths.volumes(search),
    query: { tag_key_value: tagFilter(MARKER_TAG, search.marker) },
    response: volumeListSchema,
  };
  const rows = await withPatientReads(api, (reads) => readAllRows(reads, list));
  // Compares again here: a server that ignores the filter lists those of other requests.
  return rows.filter(
    (row) =>
      tagOf(row, MARKER_TAG) === search.marker && isOfNamespace(tagOf(row, MAKER_TAG), search),
  );
}

function toView(row: Volume): MadeVolumeView {
  const imageId = row.volume_image_metadata?.image_id;
  return {
    id: row.id,
    status: row.status,
    ...(typeof row.name === 'string' && { name: row.name }),
    ...(typeof row.size === 'number' && { size: row.size }),
    ...(typeof row.volume_type === 'string' && { type: row.volume_type }),
    ...(typeof imageId === 'string' && { imageId }),
    ...attachedTo(row),
    ...toMade(row),
  };
}

function toBody({ source, name, size, imageId, snapshotId, typeName, ...tagged }: NewVolume) {
  const { tags, marker, maker } = tagged;
  return {
    source,
    name,
    size,
    ...(imageId !== undefined && { image_id: imageId }),
    ...(snapshotId !== undefined && { snapshot_id: snapshotId }),
    ...(typeName !== undefined && { type_name: typeName }),
    tags: { ...tags, [MARKER_TAG]: marker, [MAKER_TAG]: maker },
  };
}
