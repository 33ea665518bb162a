import type { ExistingParts } from '../../../activities/instance-parts.js';
import type { InstanceView } from '../../../activities/instances.js';
import { common } from '../../../engine/core/lists.js';
import type { StartedRemoval } from '../../../engine/core/tasks.js';
import { ResourceKind } from '../../../contract/wire/names.js';
import { TaskType } from '../../../contract/wire/tasks.js';
import type { Within } from '../../../engine/run/activity-calls.js';
import type { FloatingIpView } from '../../../activities/floating-ips.js';
import { isChanged } from './changed-parts.js';
import type { DeleteRun, FoundInstance } from './delete-run.js';
import { otherHolderOfFloatingIp, otherHolderOfVolume, ownIds } from '../../shared/holders.js';
import { addressFaults } from './address-faults.js';
import { boundFaults, heldFaults, looseFault, refusedFailure } from './choose-parts.js';
import type { Part } from './find-part.js';

/** An existing resource, as a look has shown it. */
export interface SeenResource {
  /** Until this task has ended, the API refuses every change. */
  lockTaskId?: string | undefined;
  /** For the status. */
  state?: string;
  /** It has other parts than when they were chosen. */
  isOther?: boolean;
  /** What the call deletes with it. */
  takes?: readonly string[];
  /** Sends the one call that deletes it. */
  send(within: Within): Promise<StartedRemoval>;
}

/** The deletion of one resource. */
export interface Deletion {
  resource: Part;
  /** The task type that the call starts. */
  expect: TaskType;
  /** What has to be looked at with it, to judge it. */
  with?: readonly { resource: Part }[];
  /**
   * What a look has shown of it; `undefined` when it is gone. Fails as `InvalidRequest` when it may no longer be deleted.
   */
  judge(parts: ExistingParts): SeenResource | undefined | Promise<SeenResource | undefined>;
}

export function deletionOfInstance(
  run: DeleteRun,
  found: FoundInstance & { instance: InstanceView },
): Deletion {
  const { place, volumeIds, floatingIps } = found;
  const { id: instanceId } = found.instance;
  const { deletes } = run.api;
  const sparesSnapshots = run.prepared.unlessSnapshots === true;
  return {
    resource: { kind: ResourceKind.instance, id: instanceId },
    expect: TaskType.deleteVm,
    with: [
      ...volumeIds.map((id) => ({ resource: { kind: ResourceKind.volume, id } })),
      ...floatingIps.map(({ id }) => ({ resource: { kind: ResourceKind.floatingIp, id } })),
    ],
    async judge(parts) {
      const { instance: seen, volumes: all } = parts;
      if (seen === undefined) return undefined;
      const chosen = new Set(volumeIds);
      const volumes = all.filter(({ id }) => chosen.has(id));
      const faults = [
        ...boundFaults(seen, volumeIds),
        ...heldFaults(volumes, instanceId),
        ...(await addressFaults(run, instanceId)),
      ];
      if (faults.length > 0) throw refusedFailure(faults);
      // Naming a volume that is not attached makes the API refuse the call. One that does not show may be held by others.
      const takes = common(
        seen.volumeIds,
        volumes.map(({ id }) => id),
      );
      return {
        lockTaskId: seen.lockTaskId,
        state: seen.status,
        isOther: isChanged(found, seen, parts.floatingIps),
        takes,
        send: (within) => {
          const target = { ...place, instanceId, volumeIds: takes };
          return sparesSnapshots
            ? deletes.undoInstance(within, { ...target, boundVolumeIds: seen.boundVolumeIds })
            : deletes.deleteInstance(within, target);
        },
      };
    },
  };
}

export function deletionOfVolume(
  run: DeleteRun,
  { place, instanceId }: FoundInstance,
  volumeId: string,
): Deletion {
  const { deletes } = run.api;
  const { unlessSnapshots } = run.prepared;
  const target = { ...place, volumeId, ...(unlessSnapshots && { unlessSnapshots }) };
  return {
    resource: { kind: ResourceKind.volume, id: volumeId },
    expect: TaskType.deleteVolume,
    judge: ({ volumes }) => {
      const seen = volumes.find(({ id }) => id === volumeId);
      if (seen === undefined) return undefined;
      const holder = otherHolderOfVolume(seen, ownIds(instanceId));
      if (holder !== undefined) throw refusedFailure([looseFault('volumes', volumeId, holder)]);
      return {
        lockTaskId: seen.lockTaskId,
        state: seen.status,
        send: (within) => deletes.deleteVolume(within, target),
      };
    },
  };
}

export function deletionOfFloatingIp(
  { api: { deletes } }: DeleteRun,
  { place, instanceId }: FoundInstance,
  { id: floatingIpId, portId }: Pick<FloatingIpView, 'id' | 'portId'>,
): Deletion {
  return {
    resource: { kind: ResourceKind.floatingIp, id: floatingIpId },
    expect: TaskType.deleteFloatingIp,
    judge: ({ floatingIps }) => {
      const seen = floatingIps.find(({ id }) => id === floatingIpId);
      if (seen === undefined) return undefined;
      // The API also deletes an attached floating IP, and somebody may have moved it elsewhere.
      const holder = otherHolderOfFloatingIp(seen, { instanceIds: ownIds(instanceId), portId });
      if (holder !== undefined)
        throw refusedFailure([looseFault('floatingIps', floatingIpId, holder)]);
      return {
        lockTaskId: seen.lockTaskId,
        send: (within) => deletes.deleteFloatingIp(within, { ...place, floatingIpId }),
      };
    },
  };
}
