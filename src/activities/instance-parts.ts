import { idListSchema } from '../contract/api/cloud.js';
import { ResourceKind, type Place } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { unlessNotFound } from './cloud-calls.js';
import { readAllRows } from './cloud-list.js';
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

/** An instance, or a thing that can belong to it. */
export interface OnePart extends Place {
  kind: keyof typeof LISTS;
  id: string;
}

/** How the list of each kind is asked for one row; there is no filter for the ids of floating IPs. */
const LISTS = {
  [ResourceKind.instance]: { pathOf: paths.instances, queryOf: (id: string) => ({ uuid: id }) },
  [ResourceKind.volume]: { pathOf: paths.volumes, queryOf: (id: string) => ({ id_part: id }) },
  [ResourceKind.floatingIp]: { pathOf: paths.floatingIps, queryOf: () => ({}) },
} as const;

export function createInstancePartActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /** Which of these exist, each by its own read. `GET /cloud/v1/instances/…`, `…/volumes/…`, `…/floatingips/…` */
      listExistingParts: (ids: PartIds): Promise<ExistingParts> =>
        withPatientReads(api, (reads) => readExistingParts(reads, ids)),

      /** Whether the list has it. `GET /cloud/v1/instances/…?uuid=`, `…/volumes/…?id_part=`, `…/floatingips/…` */
      isPartListed({ kind, id, ...place }: OnePart): Promise<boolean> {
        const { pathOf, queryOf } = LISTS[kind];
        return isListed(api, { path: pathOf(place), query: queryOf(id), id });
      },

      /** The same of an instance alone. `GET /cloud/v1/instances/…?uuid=` */
      isInstanceListed: ({ id, ...place }: Place & { id: string }): Promise<boolean> =>
        isListed(api, { path: paths.instances(place), query: { uuid: id }, id }),

      /** The same of a volume alone. `GET /cloud/v1/volumes/…?id_part=` */
      isVolumeListed: ({ id, ...place }: Place & { id: string }): Promise<boolean> =>
        isListed(api, { path: paths.volumes(place), query: { id_part: id }, id }),
    },
  } satisfies ActivityGroups;
}

function isListed(
  api: ApiClient,
  { id, ...list }: { path: string; query: Record<string, string>; id: string },
): Promise<boolean> {
  return withPatientReads(api, async (reads) => {
    const rows = await readAllRows(reads, { ...list, response: idListSchema });
    return rows.some((row) => row.id.toLowerCase() === id.toLowerCase());
  });
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
