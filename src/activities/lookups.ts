import type { z } from 'zod';

import { paths } from '../contract/wire/paths.js';
import {
  projectListSchema,
  regionListSchema,
  regionSchema,
  floatingIpSchema,
  imageSchema,
  networkSchema,
  subnetSchema,
} from '../contract/api/cloud.js';
import { MAX_NAME_BYTES } from '../contract/api/errors.js';
import { appTemplateSchema } from '../contract/api/app-template.js';
import { volumeSchema } from '../contract/api/volumes.js';
import type { Place } from '../contract/wire/names.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { toFloatingIpView, type FloatingIpView } from './floating-ips.js';
import { jsonByteLength } from '../engine/core/text.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { attachedTo } from './attached-to.js';
import { getOne, getPage } from './cloud-calls.js';
import { snapshotOfVolume } from './snapshot-of-volume.js';

export interface ImageView {
  name: string;
  /** `linux`, `windows`; missing when the API does not say. */
  osType?: string;
  /** In GiB. */
  minDisk?: number;
  /** In MiB. */
  minRam?: number;
}

/** A parameter of an application template. */
export interface TemplateParameter {
  name: string;
  /** It has no default, and the template does not work without it. */
  isNeeded: boolean;
}

/** More than any template has. */
const MAX_PARAMETERS = 150;

export interface VolumeView {
  id: string;
  status: string;
  name?: string;
  /** In GiB. */
  size?: number;
  type?: string;
  /** An instance boots from it. */
  isRoot?: true;
  /** The task that locks the volume. */
  lockTaskId?: string;
  /** Ids of the instances that have the volume; missing when the API does not say which. */
  attachedTo?: string[];
  /** One of its snapshots, if it was asked for and there is one. */
  snapshotId?: string;
}

/** One resource of a project and region. */
export interface Wanted extends Place {
  id: string;
}

export async function readVolume(reads: ApiClient, wanted: Wanted): Promise<VolumeView> {
  return toVolumeView(await getOne(reads, paths.volume(wanted, wanted.id), volumeSchema));
}

async function readUsedVolume(reads: ApiClient, wanted: Wanted): Promise<VolumeView> {
  const volume = await getOne(reads, paths.volume(wanted, wanted.id), volumeSchema);
  const snapshotId = await snapshotOfVolume(reads, wanted, volume);
  return { ...toVolumeView(volume), ...(snapshotId !== undefined && { snapshotId }) };
}

export function toVolumeView(volume: z.infer<typeof volumeSchema>): VolumeView {
  return {
    id: volume.id,
    status: volume.status,
    ...(typeof volume.name === 'string' && { name: volume.name }),
    ...(typeof volume.size === 'number' && { size: volume.size }),
    ...(typeof volume.volume_type === 'string' && { type: volume.volume_type }),
    ...(volume.is_root_volume === true && { isRoot: true as const }),
    ...(typeof volume.task_id === 'string' && { lockTaskId: volume.task_id }),
    ...attachedTo(volume),
  };
}

/** One that shows no place is read twice: it may lead somewhere all the same, and one that leads nowhere may be deleted. */
export async function readFloatingIp(reads: ApiClient, wanted: Wanted): Promise<FloatingIpView> {
  const path = paths.floatingIp(wanted, wanted.id);
  const read = async () => toFloatingIpView(await getOne(reads, path, floatingIpSchema));
  const first = await read();
  return first.portId === undefined && first.instanceId === undefined ? read() : first;
}

/** Lookups of a plan. Each fails as `NotFound` when the resource does not exist. */
export function createLookupActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /** `GET /cloud/v1/images/{project_id}/{region_id}/{image_id}` */
      async getImage(wanted: Wanted): Promise<ImageView> {
        return toImageView(await getOne(api, paths.image(wanted, wanted.id), imageSchema));
      },

      /** `GET /cloud/v1/apptemplates/{project_id}/{region_id}/{apptemplate_id}` */
      async listTemplateParameters(wanted: Wanted): Promise<TemplateParameter[]> {
        const path = paths.appTemplate(wanted, wanted.id);
        const { app_config: parameters } = await getOne(api, path, appTemplateSchema);
        // A part of a name would be another name.
        const short = parameters.filter(({ name }) => jsonByteLength(name) <= MAX_NAME_BYTES);
        return short.slice(0, MAX_PARAMETERS).map((parameter) => ({
          name: parameter.name,
          isNeeded: parameter.required === true && (parameter.default ?? undefined) === undefined,
        }));
      },

      /** `GET /cloud/v1/networks/{project_id}/{region_id}/{network_id}` */
      async getNetwork(wanted: Wanted): Promise<{ name: string }> {
        const { name } = await getOne(api, paths.network(wanted, wanted.id), networkSchema);
        return { name };
      },

      /** `GET /cloud/v1/subnets/{project_id}/{region_id}/{subnet_id}` */
      async getSubnet(wanted: Wanted): Promise<{ networkId: string }> {
        const subnet = await getOne(api, paths.subnet(wanted, wanted.id), subnetSchema);
        return { networkId: subnet.network_id };
      },

      /** `GET /cloud/v1/volumes/{project_id}/{region_id}/{volume_id}` */
      getVolume: (wanted: Wanted): Promise<VolumeView> => readVolume(api, wanted),

      /** The same with one of its snapshots, which the list has where the volume does not say whether it has any. */
      getUsedVolume: (wanted: Wanted): Promise<VolumeView> =>
        withPatientReads(api, (reads) => readUsedVolume(reads, wanted)),

      /** `GET /cloud/v1/floatingips/{project_id}/{region_id}/{floating_ip_id}` */
      getFloatingIp: (wanted: Wanted): Promise<FloatingIpView> =>
        withPatientReads(api, (reads) => readFloatingIp(reads, wanted)),

      /** Ids of the projects of the account. `GET /cloud/v1/projects` */
      async listProjectIds(): Promise<number[]> {
        const { results } = await getPage(api, paths.projects(), { response: projectListSchema });
        return results.map(({ id }) => id);
      },

      /** Ids of all regions. `GET /cloud/v1/regions` */
      async listRegionIds(): Promise<number[]> {
        const { results } = await getPage(api, paths.regions(), { response: regionListSchema });
        return results.map(({ id }) => id);
      },

      /** The types of volumes of a region; null when the API does not say. `GET /cloud/v1/regions/{region_id}` */
      async listVolumeTypes({ regionId }: Pick<Place, 'regionId'>): Promise<string[] | null> {
        const region = await getPage(api, paths.region(regionId), {
          query: { show_volume_types: true },
          response: regionSchema,
        });
        return region.available_volume_types ?? null;
      },
    },
  } satisfies ActivityGroups;
}

function toImageView(image: z.infer<typeof imageSchema>): ImageView {
  return {
    name: image.name,
    ...(typeof image.os_type === 'string' && { osType: image.os_type }),
    ...(typeof image.min_disk === 'number' && { minDisk: image.min_disk }),
    ...(typeof image.min_ram === 'number' && { minRam: image.min_ram }),
  };
}
