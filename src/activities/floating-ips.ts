import { paths } from '../contract/wire/paths.js';
import { floatingIpListSchema, type FloatingIp } from '../contract/api/cloud.js';
import type { Place } from '../contract/wire/names.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { remove, unlessNotFound } from './cloud-calls.js';
import { readAllRows } from './cloud-list.js';
import { readTask } from './tasks.js';

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
        return withPatientReads(api, async (reads) => {
          const found = await readAllRows(reads, { path, response: floatingIpListSchema });
          const makers = await askMakers(reads, found, input);
          return madeFloatingIps(found, input, makers).map(({ id }) => id);
        });
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

/** What the makers say that only the floating IPs at the instance name: after a lost answer nobody knows the task of the call. */
async function askMakers(
  api: ApiClient,
  found: readonly FloatingIp[],
  { creatorTaskIds, unnamed }: MadeWith,
): Promise<Makers> {
  if (unnamed === undefined) return { own: [], forgotten: [] };
  const makers = found
    .filter((item) => isAtCall(item, unnamed))
    .flatMap(({ creator_task_id: id }) => id ?? [])
    .filter((id) => !creatorTaskIds.includes(id));
  const asked = await Promise.all(
    [...new Set(makers)].map(async (id) => ({
      id,
      task: await unlessNotFound(readTask(api, id)),
    })),
  );
  const isOwn = ({ task }: (typeof asked)[number]): boolean =>
    task?.created.instances.some((id) => unnamed.instanceIds.includes(id)) ?? false;
  return {
    own: asked.filter(isOwn).map(({ id }) => id),
    forgotten: asked.filter(({ task }) => task === undefined).map(({ id }) => id),
  };
}

export interface Makers {
  /** They have made an instance of the call. */
  own: readonly string[];
  /** The API knows them no more. */
  forgotten: readonly string[];
}

/**
 * Those that a create call made. One whose maker nobody can tell is of the call when the instance of the call has it, by its port
 * or its address, and all of them together are no more than the call asked for: otherwise somebody may have attached their own.
 */
export function madeFloatingIps(
  found: readonly FloatingIp[],
  { creatorTaskIds, instanceIds, unnamed }: MadeWith,
  { own, forgotten }: Makers = { own: [], forgotten: [] },
): FloatingIp[] {
  const ofCall = [...creatorTaskIds, ...own];
  const named = found
    .filter(({ creator_task_id: id }) => ofCall.includes(id ?? ''))
    .filter(({ instance }) => !instance || (instanceIds?.includes(instance.id) ?? true));
  if (unnamed === undefined) return named;
  const candidates = found
    .filter(({ creator_task_id: id }) => !id || forgotten.includes(id))
    .filter((item) => isAtCall(item, unnamed) && !isOfOtherTime(item));
  return named.length + candidates.length <= unnamed.most ? [...named, ...candidates] : named;
}

/** Whether the instance of the call has it, and the call did not only attach it. */
function isAtCall(
  { id, instance, floating_ip_address: address }: FloatingIp,
  { instanceIds, addresses, except }: NonNullable<MadeWith['unnamed']>,
): boolean {
  if (except.includes(id)) return false;
  return instance ? instanceIds.includes(instance.id) : addresses.includes(address ?? '');
}

/** A call makes all in a few minutes. */
const ONE_CALL_MS = 600_000;

/** Whether it was made long before the instance that has it, or long after. */
function isOfOtherTime({ created_at: at, instance }: FloatingIp): boolean {
  const between = Date.parse(at ?? '') - Date.parse(instance?.created_at ?? '');
  return Math.abs(between) > ONE_CALL_MS;
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
