import type { InstanceView } from '../../../activities/instances.js';
import { ResourceKind } from '../../../contract/wire/names.js';
import { without } from '../../../engine/core/lists.js';
import type { Resource } from '../../../engine/core/status.js';
import { listsSettledAt } from '../../../engine/wait/wait-until.js';
import type { CreateRequest } from './create-request.js';
import { isAllOfCall } from './judge-instances.js';
import { listOwnInstances, listOwnVolumes } from './ownership.js';
import { lookUntilGraceEnds } from '../../../engine/wait/look-until.js';
import type { MakerRun } from '../../gcore.js';

/** The resources that one create request made. */
export interface MadeResources {
  instanceIds: string[];
  volumeIds: string[];
  floatingIpIds: string[];
}

/** What this run made, with the leftovers, and what may still exist: by tags and by its tasks. */
export async function findMade(
  run: MakerRun,
  request: CreateRequest,
  taskIds: readonly string[],
): Promise<MadeResources & { listed: InstanceView[] }> {
  const { place, asked, leftovers, broughtVolumeIds, broughtFloatingIpIds } = request;
  const { reads } = run.api;
  const listed = await listOwnInstances(run, request);
  const volumeIds = await listOwnVolumes(run, request);
  const created = taskIds.flatMap((id) => run.tasks.get(id)?.outcome?.created ?? []);
  const instanceIds = unique([
    ...listed.map((instance) => instance.id),
    ...created.flatMap((made) => made.instances),
  ]);
  // The floating IPs of an instance that the caller has given up stay: they may be known to others.
  const ours = listed.filter(({ id }) => !leftovers.instances.has(id));
  const creators = unique([...taskIds, ...ours.flatMap((found) => found.creatorTaskId ?? [])]);
  const unnamed = {
    instanceIds: instanceIds.filter((id) => !leftovers.instances.has(id)),
    addresses: ours.flatMap(({ addresses }) => addresses.map(({ address }) => address)),
    except: broughtFloatingIpIds,
    most: asked.floatingIps,
  };
  const floatingIpIds =
    asked.floatingIps > 0 && (creators.length > 0 || unnamed.instanceIds.length > 0)
      ? await reads.listFloatingIps({ ...place, creatorTaskIds: creators, instanceIds, unnamed })
      : [];
  const madeVolumeIds = [...volumeIds, ...created.flatMap((made) => made.volumes)];
  const madeIps = [...floatingIpIds, ...created.flatMap((made) => made.floatingIps)];
  return {
    listed,
    instanceIds,
    volumeIds: unique(without(madeVolumeIds, broughtVolumeIds)),
    floatingIpIds: unique(without(madeIps, broughtFloatingIpIds)),
  };
}

/**
 * Like `findMade`, but complete. A task that failed, or that the API has forgotten, does not say what it
 * made, and lists lag. Then nothing counts as absent before the grace time since its end is over, unless
 * all that the call asked for has shown.
 */
export async function findAllMade(
  run: MakerRun,
  request: CreateRequest,
  taskIds: readonly string[],
): Promise<MadeResources & { listed: InstanceView[] }> {
  const name = 'what a failed create may have left to show';
  const until = listsSettledAt(run, taskIds);
  let made: Awaited<ReturnType<typeof findMade>> | undefined;
  return lookUntilGraceEnds(run, { name, until }, async (isSure) => {
    const found = await findMade(run, request, taskIds);
    made = made === undefined ? found : mergeMade(found, made);
    return isSure || showsAll(run, request, { taskIds, made }) ? made : undefined;
  });
}

/** Whether all that the call can have made shows, so that lists have nothing more to catch up with. */
function showsAll(
  { prepared, tasks }: MakerRun,
  request: CreateRequest,
  {
    taskIds,
    made,
  }: { taskIds: readonly string[]; made: MadeResources & { listed: InstanceView[] } },
): boolean {
  const [taskId, another] = taskIds;
  if (taskId === undefined || another !== undefined) return false;
  const task = tasks.get(taskId)?.outcome;
  return isAllOfCall(request, { taskId, maker: prepared.maker, named: task?.created, made });
}

/** Lists may no longer show what is being removed, so resources that were seen once stay included. */
export function mergeMade<M extends MadeResources>(made: M, before: MadeResources): M {
  return {
    ...made,
    instanceIds: unique([...before.instanceIds, ...made.instanceIds]),
    volumeIds: unique([...before.volumeIds, ...made.volumeIds]),
    floatingIpIds: unique([...before.floatingIpIds, ...made.floatingIpIds]),
  };
}

export function toResources({ instanceIds, volumeIds, floatingIpIds }: MadeResources): Resource[] {
  const named = (kind: Resource['kind'], ids: readonly string[]): Resource[] =>
    unique(ids).map((id) => ({ kind, id }));
  return [
    ...named(ResourceKind.instance, instanceIds),
    ...named(ResourceKind.volume, volumeIds),
    ...named(ResourceKind.floatingIp, floatingIpIds),
  ];
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
