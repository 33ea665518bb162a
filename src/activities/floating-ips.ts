import { paths } from '../contract/wire/paths.js';
import { floatingIpListSchema, type FloatingIp } from '../contract/api/cloud.js';
import type { Place } from '../contract/wire/names.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { remove } from './cloud-calls.js';
import { readAllRows } from './cloud-list.js';

export interface FloatingIpView {
  id: string;
  address?: string;
  /** The task that locks the floating IP. */
  lockTaskId?: string;
  /** Missing while the floating IP is not attached. */
  portId?: string;
  /** The instance with this port. The API may name the port only. */
  instanceId?: string;
}

export interface FloatingIpsOfInstance extends Place {
  instanceId: string;
  /** Floating addresses of the instance, because the API may not name the instance of a floating IP. */
  addresses: string[];
}

/** What tells the floating IPs of a create call, which carry no marker. */
export interface MadeWith {
  creatorTaskIds: readonly string[];
  /** Leaves out those that somebody has attached to another instance since. */
  instanceIds?: readonly string[] | undefined;
  /** What the call made, for a floating IP that names no maker. */
  unnamed?: {
    instanceIds: readonly string[];
    addresses: readonly string[];
    /** Those that the call attached, and did not make. */
    except: readonly string[];
    /** How many it can have made. */
    most: number;
  };
}

export function createFloatingIpActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /**
       * Returns the ids of the floating IPs that these tasks created. They carry no marker, so their
       * `creator_task_id` links them to a create call; see `madeFloatingIps` where it is null.
       */
      async listFloatingIps(input: Place & MadeWith): Promise<string[]> {
        const path = paths.floatingIps(input);
        const found = await withPatientReads(api, (reads) =>
          readAllRows(reads, { path, response: floatingIpListSchema }),
        );
        return madeFloatingIps(found, input).map(({ id }) => id);
      },

      /** Returns the floating IPs that are attached to the instance. */
      async listFloatingIpsOfInstance(
        input: FloatingIpsOfInstance,
      ): Promise<{ floatingIps: FloatingIpView[] }> {
        const { instanceId, addresses } = input;
        const list = { path: paths.floatingIps(input), response: floatingIpListSchema };
        const rows = await withPatientReads(api, (reads) => readAllRows(reads, list));
        return {
          floatingIps: rows
            .map(toFloatingIpView)
            .filter(
              (item) => item.instanceId === instanceId || addresses.includes(item.address ?? ''),
            ),
        };
      },
    },
    deletes: {
      /** Deletes a floating IP. Returns no task ids when it was already gone. */
      deleteFloatingIp: (input: Place & { floatingIpId: string }) =>
        remove(api, paths.floatingIp(input, input.floatingIpId)),
    },
  } satisfies ActivityGroups;
}

/**
 * Those that a create call made. One whose maker no answer names is of the call when the instance of the call has it, by its port
 * or its address, and all of them together are no more than the call asked for: otherwise somebody may have attached their own.
 */
export function madeFloatingIps(
  found: readonly FloatingIp[],
  { creatorTaskIds, instanceIds, unnamed }: MadeWith,
): FloatingIp[] {
  const named = found
    .filter(({ creator_task_id: id }) => creatorTaskIds.includes(id ?? ''))
    .filter(({ instance }) => !instance || (instanceIds?.includes(instance.id) ?? true));
  if (unnamed === undefined) return named;
  const { addresses, except, most } = unnamed;
  const isAtCall = ({ instance, floating_ip_address: address }: FloatingIp): boolean =>
    instance ? unnamed.instanceIds.includes(instance.id) : addresses.includes(address ?? '');
  const candidates = found.filter(
    (item) =>
      !item.creator_task_id && isAtCall(item) && !except.includes(item.id) && !isOlder(item),
  );
  return named.length + candidates.length <= most ? [...named, ...candidates] : named;
}

/** A call makes all in a few minutes. */
const ONE_CALL_MS = 600_000;

/** Whether it was there long before the instance that has it. */
function isOlder({ created_at: at, instance }: FloatingIp): boolean {
  return Date.parse(at ?? '') < Date.parse(instance?.created_at ?? '') - ONE_CALL_MS;
}

export function toFloatingIpView(item: FloatingIp): FloatingIpView {
  const { id, floating_ip_address: address, task_id: lockTaskId, port_id: portId } = item;
  return {
    id,
    ...(typeof address === 'string' && { address }),
    ...(typeof lockTaskId === 'string' && { lockTaskId }),
    ...(typeof portId === 'string' && { portId }),
    ...(item.instance && { instanceId: item.instance.id }),
  };
}
