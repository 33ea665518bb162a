import type { InstanceView } from '../../../activities/instances.js';
import type { Verdict } from '../../../engine/send/verdict.js';

/** States from which an instance does not recover by itself. */
const BROKEN: ReadonlySet<string> = new Set(['ERROR', 'DELETED', 'SOFT_DELETED']);

export function isBroken(status: string): boolean {
  return BROKEN.has(status);
}

/** Judges the instances with the marker of a request that accepts these flavors. */
export function judgeInstances(
  instances: readonly InstanceView[],
  flavors: readonly string[],
): Verdict<InstanceView> {
  const sound = instances.filter((instance) => !isBroken(instance.status));
  const [first, second] = sound;
  if (first === undefined) {
    const note = instances.map(({ id, status }) => `instance ${id} in status ${status}`).join(', ');
    return instances.length === 0 ? { kind: 'absent' } : { kind: 'leftover', note, taskIds: [] };
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
  const taskIds = first.creatorTaskId === undefined ? [] : [first.creatorTaskId];
  return { kind: 'present', resource: first, taskIds };
}
