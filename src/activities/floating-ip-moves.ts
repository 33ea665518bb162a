import {
  floatingIpListSchema,
  floatingIpSchema,
  interfaceListSchema,
  type FloatingIp,
} from '../contract/api/cloud.js';
import type { Place } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { change, getOne } from './cloud-calls.js';
import { readAllRows } from './cloud-list.js';
import { toFloatingIpView, type FloatingIpView } from './floating-ips.js';

/** A floating IP, and where it leads to. */
export interface PlacedFloatingIp extends FloatingIpView {
  /** `ACTIVE`, `DOWN`, `ERROR`; empty where the API does not say it. */
  status: string;
  /** The private address that it leads to. */
  fixedIp?: string;
}

/** A port of an instance. */
export interface InterfaceView {
  portId: string;
  /** Its addresses. */
  addresses: string[];
  /** It is in a public network: a floating IP cannot lead to it. */
  isExternal: boolean;
  floatingIps: { id: string; fixedIp?: string }[];
}

export interface MoveFloatingIpCall extends Place {
  floatingIpId: string;
  portId: string;
  fixedIp: string;
}

const MAX_INTERFACES = 50;

/** How a floating IP is moved. The call makes one attempt: see engine/send/change-once. */
export function createFloatingIpMoveActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /** Fails as `NotFound` when it is gone. `GET /cloud/v1/floatingips/…/{floating_ip_id}` */
      async getPlacedFloatingIp(input: Place & { id: string }): Promise<PlacedFloatingIp> {
        return toPlaced(await getOne(api, paths.floatingIp(input, input.id), floatingIpSchema));
      },
      /**
       * The same as the list has it, with the instance that its port is of; null when the list lacks it.
       * `GET /cloud/v1/floatingips/…`
       */
      async findListedFloatingIp(input: Place & { id: string }): Promise<PlacedFloatingIp | null> {
        const list = { path: paths.floatingIps(input), response: floatingIpListSchema };
        const rows = await withPatientReads(api, (reads) => readAllRows(reads, list));
        const row = rows.find(({ id }) => id === input.id);
        return row === undefined ? null : toPlaced(row);
      },
      /**
       * The first 50 ports of an instance, which has a few. Fails as `NotFound` when it is gone.
       * `GET /cloud/v1/instances/…/{instance_id}/interfaces`
       */
      async listInterfaces(input: Place & { instanceId: string }): Promise<InterfaceView[]> {
        const path = paths.interfaces(input, input.instanceId);
        const list = { path, response: interfaceListSchema };
        const rows = await withPatientReads(api, (reads) => readAllRows(reads, list));
        return rows.slice(0, MAX_INTERFACES).map((row) => ({
          portId: row.port_id,
          addresses: row.ip_assignments.map(({ ip_address: address }) => address),
          isExternal: row.network_details?.external === true,
          floatingIps: (row.floatingip_details ?? []).map(({ id, fixed_ip_address: fixedIp }) => ({
            id,
            ...(typeof fixedIp === 'string' && { fixedIp }),
          })),
        }));
      },
    },
    mutations: {
      /** Attaches it, or moves it from where it is. `PATCH /cloud/v2/floatingips/…/{floating_ip_id}` */
      moveFloatingIp: ({ floatingIpId, portId, fixedIp, ...place }: MoveFloatingIpCall) =>
        change(api, {
          method: 'PATCH',
          path: paths.updateFloatingIp(place, floatingIpId),
          body: { port_id: portId, fixed_ip_address: fixedIp },
        }),
    },
  } satisfies ActivityGroups;
}

function toPlaced(row: FloatingIp): PlacedFloatingIp {
  const { status, fixed_ip_address: fixedIp } = row;
  return {
    ...toFloatingIpView(row),
    status: status ?? '',
    ...(typeof fixedIp === 'string' && { fixedIp }),
  };
}
