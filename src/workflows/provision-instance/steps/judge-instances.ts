import { mayBeNamed } from '../../../contract/wire/stored-form.js';
import type { InstanceView } from '../../../activities/instances.js';
import type { TaskView } from '../../../activities/tasks.js';
import { common, without } from '../../../engine/core/lists.js';
import type { Verdict } from '../../../engine/send/verdict.js';
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
  {
    asked,
    broughtVolumeIds,
    broughtFloatingIpIds,
  }: Pick<CreateRequest, 'asked' | 'broughtVolumeIds' | 'broughtFloatingIpIds'>,
  { taskId, maker, named, made }: CallEvidence,
): boolean {
  // Floating IPs have no tags: only the task can say which ones it made.
  const floatingIps = without(named?.floatingIps ?? [], broughtFloatingIpIds);
  if (floatingIps.length !== asked.floatingIps) return false;
  const namedVolumes = without(named?.volumes ?? [], broughtVolumeIds);
  const listed = made.listed.filter(
    (found) => found.creatorTaskId === taskId && found.maker === maker,
  );
  const instanceIds = new Set([...(named?.instances ?? []), ...listed.map(({ id }) => id)]);
  if (instanceIds.size !== 1) return false;
  const attached = listed.flatMap(({ volumeIds }) => volumeIds);
  const volumes = common(attached, made.volumeIds);
  return new Set([...namedVolumes, ...volumes]).size === asked.volumes;
}

/** States from which an instance does not recover by itself. */
const BROKEN: ReadonlySet<string> = new Set(['ERROR', 'DELETED', 'SOFT_DELETED']);

export function isBroken(status: string): boolean {
  return BROKEN.has(status);
}

/** What an instance has to be like, to be the one of a request. */
export interface AskedInstance {
  flavors: readonly string[];
  /** Left out where the API makes the name. */
  name?: string | undefined;
  /** Who asks: what it has made itself has the name that it asked for, whoever renames it. */
  maker: string;
}

/** Judges the instances with the marker of a request. An earlier run may have asked for another one. */
export function judgeInstances(
  instances: readonly InstanceView[],
  { flavors, name, maker }: AskedInstance,
): Verdict<InstanceView> {
  const sound = instances.filter((instance) => !isBroken(instance.status));
  const [first, second] = sound;
  if (first === undefined) {
    if (instances.length === 0) return { kind: 'absent' };
    const note = instances.map(({ id, status }) => `instance ${id} in status ${status}`).join(', ');
    const madeBy = instances.map(({ creatorTaskId }) => creatorTaskId);
    return { kind: 'leftover', note, taskIds: [], madeBy };
  }
  if (second !== undefined) {
    const ids = sound.map((instance) => instance.id).join(', ');
    return {
      kind: 'contradiction',
      note: `${sound.length} instances carry the marker of this one request: ${ids}.`,
    };
  }
  if (first.flavor !== undefined && !flavors.includes(first.flavor)) {
    return {
      kind: 'contradiction',
      note: `Instance ${first.id} of this request has the flavor ${first.flavor}, not ${flavors.join(' or ')}.`,
    };
  }
  if (name !== undefined && first.maker !== maker && !mayBeNamed(name, first.name)) {
    return {
      kind: 'contradiction',
      note: `Instance ${first.id} of this request has the name "${first.name}", not "${name}".`,
      advice:
        'An earlier run of the request made it. Rename or delete it and `resume`, or `resume` with that name in the input. `abort` ends the run.',
    };
  }
  const taskIds = first.creatorTaskId === undefined ? [] : [first.creatorTaskId];
  return { kind: 'present', resource: first, taskIds };
}
