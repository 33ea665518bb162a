import type { VolumeView } from '../../activities/lookups.js';
import type { VolumeTarget } from '../../activities/volume-actions.js';
import { volumeResource } from '../../contract/wire/names.js';
import { paths } from '../../contract/wire/paths.js';
import type { PlanFault } from '../../engine/plan/planning.js';
import { orUndefinedIfGone } from '../../engine/run/failures.js';
import type { Asked } from '../gcore.js';
import { describeHolders, holdersOf } from './holders.js';
import { instanceIdOf, isInstanceListed, type InstanceInput } from './instance-change.js';
import { resourceChange, type Stated, type Subject, type Target } from './resource-change.js';

/** What is asked of a volume that exists. */
interface VolumeInput {
  volumeId: string;
}

/** The API writes ids in lower case. */
export function volumeIdOf({ volumeId }: VolumeInput): string {
  return volumeId.toLowerCase();
}

export const VOLUME: Subject<VolumeInput, VolumeView> = {
  kind: 'volume',
  resource: volumeResource,
  field: 'volumeId',
  idOf: volumeIdOf,
  path: paths.volume,
  listPath: paths.volumes,
  read: ({ reads }, target) => reads.getVolume(target),
  after: (volume) => ({ read: { volume }, stateIn: (seen) => seen.volume }),
  isListed: (reads, target) => reads.isVolumeListed(target),
  list: (reads, place) => reads.listVolumes({ ...place, marker: 'none' }),
};

/** A step that changes a volume. */
export function volumeChange<I extends VolumeInput>(stated: Stated<I, VolumeView>) {
  return resourceChange<I, VolumeView>(VOLUME, {
    instances: (seen) => holdersOf(seen) ?? [],
    ...stated,
  });
}

/**
 * The same, where it is about one instance. What the volume does not say, that instance does.
 */
export function attachmentChange<I extends VolumeInput & InstanceInput>(
  stated: Stated<I, VolumeView>,
) {
  return resourceChange<I, VolumeView>(
    {
      ...VOLUME,
      read: readAttachment,
      part: { isIn: (volume) => holdersOf(volume) !== undefined, isListed: isInstanceListed },
    },
    { instances: (_seen, input) => [instanceIdOf(input)], ...stated },
  );
}

async function readAttachment(
  asked: Asked<VolumeInput & InstanceInput>,
  target: Target,
): Promise<VolumeView> {
  const volume = await VOLUME.read(asked, target);
  if (holdersOf(volume) !== undefined) return volume;
  const instanceId = instanceIdOf(asked.input);
  const { projectId, regionId } = target;
  const place = { projectId, regionId, instanceId };
  const instance = await orUndefinedIfGone(asked.reads.getInstance(place));
  if (instance === undefined) return volume;
  return { ...volume, attachedTo: instance.volumeIds.includes(volume.id) ? [instanceId] : [] };
}

export function volumeOf({
  input,
  prepared: { projectId, regionId },
}: Pick<Asked<VolumeInput>, 'input' | 'prepared'>): VolumeTarget {
  return { projectId, regionId, volumeId: volumeIdOf(input) };
}

/** For a change that the API makes to no broken volume. */
export function brokenFaults({ status }: VolumeView): PlanFault[] {
  if (!/^error/i.test(status)) return [];
  const advice = 'Find out in the portal what is wrong with it.';
  return [{ path: 'volumeId', message: `The volume is in the status ${status}`, advice }];
}

/** For a change that needs a volume which no instance has. */
export function isAttached(volume: VolumeView, advice: string): PlanFault {
  return {
    path: 'volumeId',
    message: `The volume is attached to ${describeHolders(volume)}`,
    advice,
  };
}
