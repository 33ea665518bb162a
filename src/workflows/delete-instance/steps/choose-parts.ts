import type { InstanceView } from '../../../activities/instances.js';
import type { VolumeView } from '../../../activities/lookups.js';
import type { DeleteChoice } from '../../../contract/operations/delete-instance.js';
import type { DeleteTarget } from '../../../contract/wire/prepared.js';
import { FailureType, type Fault } from '../../../engine/core/failures.js';
import { common, without } from '../../../engine/core/lists.js';
import { failure } from '../../../engine/run/failures.js';
import { otherHolderOfVolume } from '../../shared/holders.js';

/** The parts of an instance, sorted by the choice. */
export interface ChosenParts {
  /** Attached, and chosen for deletion. */
  chosen: string[];
  /** Attached, and kept. */
  kept: string[];
  /** Named by the choice, but not attached. */
  loose: string[];
}

export function chooseParts(choice: DeleteChoice, attached: readonly string[]): ChosenParts {
  if (choice === 'delete') return { chosen: [...attached], kept: [], loose: [] };
  if (choice === 'keep') return { chosen: [], kept: [...attached], loose: [] };
  return {
    chosen: common(attached, choice),
    kept: without(attached, choice),
    loose: without(choice, attached),
  };
}

/** Returns a fault for each volume that is not chosen but that the API deletes with the instance. */
export function boundFaults(
  { id, boundVolumeIds = [] }: Pick<InstanceView, 'id' | 'boundVolumeIds'>,
  chosen: readonly string[],
): Fault[] {
  return without(boundVolumeIds, chosen).map((volumeId) => ({
    path: 'volumes',
    message: `volume ${volumeId} has delete_on_termination: the API deletes it with instance ${id}. Choose it too, or detach it first`,
  }));
}

/** Returns a fault for each volume of an instance that another one has too, or may have. */
export function heldFaults(volumes: readonly VolumeView[], instanceId: string): Fault[] {
  return volumes.flatMap((volume) => {
    const holder = otherHolderOfVolume(volume, [instanceId]);
    return holder === undefined ? [] : [looseFault('volumes', volume.id, holder)];
  });
}

/** Whether the API names another instance that has it too. */
export function isShared({ attachedTo = [] }: VolumeView, instanceId: string): boolean {
  return attachedTo.some((id) => id !== instanceId);
}

export function looseFault(path: 'volumes' | 'floatingIps', id: string, holder?: string): Fault {
  const kind = path === 'volumes' ? 'volume' : 'floating IP';
  const where = holder === undefined ? 'is not attached to the instance' : `belongs to ${holder}`;
  return { path, message: `${kind} ${id} ${where}: the run leaves it alone` };
}

/** Nothing says that the request has ever made an instance: then "gone" is only a guess. @param marked what carries its marker */
export function unmadeFault(target: DeleteTarget, marked: readonly string[]): Fault | undefined {
  if ('instanceId' in target || target.hasMade || marked.length > 0) return undefined;
  const message = `no run ${target.madeBy} is known to have made an instance here, and nothing in this project and region carries its marker. Check the id; or name what is to be deleted`;
  return { path: 'madeBy', message };
}

/** Reports several instances with the marker of one request: the run does not guess. */
export function contradictionFailure(madeBy: string, ids: readonly string[]): Error {
  return failure(
    FailureType.outcomeUnknown,
    `${ids.length} instances carry the marker of ${madeBy}: ${ids.join(', ')}.`,
    { advice: 'Look at each of them, and set "instanceId" to the one to delete.' },
  );
}

/** Combines the faults into one failure. */
export function refusedFailure(faults: readonly Fault[]): Error {
  const message = faults.map(({ path, message: fault }) => `${path}: ${fault}`).join('; ');
  return failure(FailureType.invalidRequest, `${message}.`, {
    advice: 'Correct the named fields and start again.',
    faults: [...faults],
  });
}
