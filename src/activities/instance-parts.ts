import type { Place } from '../contract/wire/names.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { unlessNotFound } from './cloud-calls.js';
import type { FloatingIpView } from './floating-ips.js';
import { readInstance, type InstanceView } from './instances.js';
import { readFloatingIp, readVolume, type VolumeView } from './lookups.js';

/** Of an instance and of what belongs to it. */
export interface PartIds extends Place {
  instanceId?: string | undefined;
  volumeIds: readonly string[];
  floatingIpIds: readonly string[];
}

/** Those that exist, by the ids that were asked for: the API may write them in another case. */
export interface ExistingParts {
  instance?: InstanceView;
  volumes: VolumeView[];
  floatingIps: FloatingIpView[];
}

export function createInstancePartActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /** Which of these exist, each by its own read. `GET /cloud/v1/instances/…`, `…/volumes/…`, `…/floatingips/…` */
      listExistingParts: (ids: PartIds): Promise<ExistingParts> =>
        withPatientReads(api, (reads) => readExistingParts(reads, ids)),
    },
  } satisfies ActivityGroups;
}

export async function readExistingParts(
  reads: ApiClient,
  { instanceId, volumeIds, floatingIpIds, ...place }: PartIds,
): Promise<ExistingParts> {
  const exists = async <T extends object>(
    read: (id: string) => Promise<T>,
    ids: readonly string[],
  ) => {
    const views = await Promise.all(ids.map((id) => unlessNotFound(read(id))));
    return ids.flatMap((id, at) => {
      const view = views[at];
      return view === undefined ? [] : [{ ...view, id }];
    });
  };
  const [[instance], volumes, floatingIps] = await Promise.all([
    exists(
      (id) => readInstance(reads, { ...place, instanceId: id }),
      instanceId === undefined ? [] : [instanceId],
    ),
    exists((id) => readVolume(reads, { ...place, id }), volumeIds),
    exists((id) => readFloatingIp(reads, { ...place, id }), floatingIpIds),
  ]);
  return { ...(instance && { instance }), volumes, floatingIps };
}
