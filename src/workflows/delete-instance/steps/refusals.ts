import type { InstanceView } from '../../../activities/instances.js';
import { FailureType, type Fault } from '../../../contract/failures.js';
import { failure } from '../../engine/run/failures.js';

/** Volumes that the API deletes with the instance although they are not chosen. */
export function boundFaults(
  { id, boundVolumeIds = [] }: Pick<InstanceView, 'id' | 'boundVolumeIds'>,
  chosen: readonly string[],
): Fault[] {
  return boundVolumeIds
    .filter((volumeId) => !chosen.includes(volumeId))
    .map((volumeId) => ({
      path: 'volumes',
      message: `volume ${volumeId} has delete_on_termination: the API deletes it with instance ${id}. Choose it too, or detach it first`,
    }));
}

export function looseFault(path: 'volumes' | 'floatingIps', id: string, holder?: string): Fault {
  const thing = path === 'volumes' ? 'volume' : 'floating IP';
  const where = holder === undefined ? 'is not attached to the instance' : `belongs to ${holder}`;
  return { path, message: `${thing} ${id} ${where}: it is left alone` };
}

/** More than one instance carries the marker of one request: nothing is guessed. */
export function contradiction(madeBy: string, ids: readonly string[]): Error {
  return failure(
    FailureType.outcomeUnknown,
    `${ids.length} instances carry the marker of ${madeBy}: ${ids.join(', ')}.`,
    { advice: 'Look at each of them, and give the one to delete as "instanceId".' },
  );
}

/** Nothing of what is named is touched. */
export function refused(faults: readonly Fault[]): Error {
  const said = faults.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return failure(FailureType.invalidRequest, `${said}.`, {
    advice: 'Correct the named fields and start again.',
    faults: [...faults],
  });
}
