import type { InstanceView } from '../../../activities/instances.js';
import type { Place } from '../../../contract/place.js';
import { ResourceKind } from '../../../contract/status.js';
import type { Resource } from '../../../contract/resource.js';
import { listsSettledAt } from '../../engine/wait/lists-settled-at.js';
import { lookUntilGraceEnds } from '../../engine/wait/look-until.js';
import type { MakerRun } from '../../engine/run/run-types.js';

/** What one create request made. */
export interface Made {
  instanceIds: string[];
  /** Only volumes made by the request: what the caller brought along carries no marker. */
  volumeIds: string[];
  floatingIpIds: string[];
}

/** A create request: where it was sent, and what may have come of it. */
export interface Request {
  place: Place;
  /** It asks for new floating IPs, which carry no marker. */
  wantsFloatingIps: boolean;
}

/** What the request made and what may still exist: all that carries its marker, and all that its tasks made. */
export async function findMade(
  run: MakerRun,
  { place, wantsFloatingIps }: Request,
  taskIds: readonly string[],
): Promise<Made & { listed: InstanceView[] }> {
  const input = { ...place, marker: run.prepared.marker };
  const { reads } = run.api;
  const listed = await reads.listInstances(input);
  const volumeIds = await reads.listVolumes(input);
  const created = taskIds.flatMap((id) => run.tasks.get(id)?.outcome?.created ?? []);
  const creators = unique([...taskIds, ...listed.flatMap((found) => found.creatorTaskId ?? [])]);
  const floatingIpIds =
    wantsFloatingIps && creators.length > 0
      ? await reads.listFloatingIps({ ...place, creatorTaskIds: creators })
      : [];
  return {
    listed,
    instanceIds: unique([
      ...listed.map((instance) => instance.id),
      ...created.flatMap((made) => made.instances),
    ]),
    volumeIds: unique([...volumeIds, ...created.flatMap((made) => made.volumes)]),
    floatingIpIds: unique([...floatingIpIds, ...created.flatMap((made) => made.floatingIps)]),
  };
}

/**
 * Like `findMade`, and sure: a task that failed, or that the API has forgotten, does not say what it
 * made, and lists lag. Then nothing counts as absent before the grace time since the send is over.
 */
export async function findAllMade(
  run: MakerRun,
  request: Request,
  taskIds: readonly string[],
): Promise<Made & { listed: InstanceView[] }> {
  const name = 'what a failed create may have left to show';
  const until = listsSettledAt(run, taskIds);
  let made: Awaited<ReturnType<typeof findMade>> | undefined;
  return lookUntilGraceEnds(run, { name, until }, async (isSure) => {
    const found = await findMade(run, request, taskIds);
    made = made === undefined ? found : mergeMade(found, made);
    return isSure ? made : undefined;
  });
}

/** Lists forget what is being removed: what was seen once is looked after until it is verified gone. */
export function mergeMade<M extends Made>(made: M, before: Made): M {
  return {
    ...made,
    instanceIds: unique([...before.instanceIds, ...made.instanceIds]),
    volumeIds: unique([...before.volumeIds, ...made.volumeIds]),
    floatingIpIds: unique([...before.floatingIpIds, ...made.floatingIpIds]),
  };
}

export function toResources({ instanceIds, volumeIds, floatingIpIds }: Made): Resource[] {
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
