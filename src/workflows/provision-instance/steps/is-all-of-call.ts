import type { InstanceView } from '../../../activities/instances.js';
import type { TaskView } from '../../../activities/tasks.js';
import type { CreateRequest } from './create-request.js';

/** What is known of the one create call with this task. */
export interface CallEvidence {
  taskId: string;
  maker: string;
  /** What the task itself names. A task in ERROR may name only a part, or nothing. */
  named: TaskView['created'] | undefined;
  /** `volumeIds`: only those with the tags of this run, or named by the task. */
  made: { listed: readonly InstanceView[]; volumeIds: readonly string[] };
}

/**
 * Whether everything that a create call asked for is known by its id: one instance, all of its new
 * volumes, all of its new floating IPs. A call cannot make more than that, so no list can still lag
 * behind it. What is only missing, or may be of another call, proves nothing.
 */
export function isAllOfCall(
  { asked, broughtVolumeIds }: Pick<CreateRequest, 'asked' | 'broughtVolumeIds'>,
  { taskId, maker, named, made }: CallEvidence,
): boolean {
  // Floating IPs have no tags: only the task can say which ones it made.
  if ((named?.floatingIps.length ?? 0) !== asked.floatingIps) return false;
  const namedVolumes = (named?.volumes ?? []).filter((id) => !broughtVolumeIds.includes(id));
  const listed = made.listed.filter(
    (found) => found.creatorTaskId === taskId && found.maker === maker,
  );
  const instanceIds = new Set([...(named?.instances ?? []), ...listed.map(({ id }) => id)]);
  if (instanceIds.size !== 1) return false;
  const attached = listed.flatMap(({ volumeIds }) => volumeIds);
  const volumes = attached.filter((id) => made.volumeIds.includes(id));
  return new Set([...namedVolumes, ...volumes]).size === asked.volumes;
}
