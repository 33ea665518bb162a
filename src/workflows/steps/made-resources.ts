import type { InstanceView } from '../../activities/instances.js';
import { ResourceKind } from '../../contract/status.js';
import type { Resource } from '../../contract/status-document.js';
import type { Run } from '../engine/run.js';

/** What one create request made. */
export interface Made {
  instanceIds: string[];
  /** Only volumes made by the request: what the caller brought along carries no marker. */
  volumeIds: string[];
  floatingIpIds: string[];
}

/** What the request made and what may still exist: all that carries its marker, and all that its tasks named. */
export async function findMade(
  run: Run,
  taskIds: readonly string[],
): Promise<Made & { listed: InstanceView[] }> {
  const { projectId, regionId, marker } = run.plan;
  const input = { projectId, regionId, marker };
  const listed = await run.api.repeatable.listInstances(input);
  const volumeIds = await run.api.repeatable.listVolumes(input);
  const created = taskIds.flatMap((id) => run.tasks.get(id)?.outcome?.created ?? []);
  return {
    listed,
    instanceIds: unique([
      ...listed.map((instance) => instance.id),
      ...created.flatMap((made) => made.instances),
    ]),
    volumeIds: unique([...volumeIds, ...created.flatMap((made) => made.volumes)]),
    floatingIpIds: unique(created.flatMap((made) => made.floatingIps)),
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
