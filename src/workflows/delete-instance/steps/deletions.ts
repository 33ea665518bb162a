import type { ExistingParts } from '../../../activities/instance-parts.js';
import type { InstanceView } from '../../../activities/instances.js';
import type { StartedRemoval } from '../../../engine/core/tasks.js';
import { ResourceKind } from '../../../contract/wire/names.js';
import type { Resource } from '../../../engine/core/status.js';
import { TaskType } from '../../../contract/wire/tasks.js';
import type { Within } from '../../../engine/run/activity-calls.js';
import type { Attached, DeleteRun, FoundInstance } from './delete-run.js';
import { otherHolderOfFloatingIp, otherHolderOfVolume, ownIds } from '../../shared/holders.js';
import { addressFaults } from './address-faults.js';
import { boundFaults, looseFault, refusedFailure } from './choose-parts.js';

/** An existing resource, as a look has shown it. */
export interface SeenResource {
  /** Until this task has ended, the API refuses every change. */
  lockTaskId?: string | undefined;
  /** For the status. */
  state?: string;
  /** Sends the one call that deletes it. */
  send(within: Within): Promise<StartedRemoval>;
}

/** The deletion of one resource. */
export interface Deletion {
  resource: Resource;
  /** The task type that the call starts. */
  expect: TaskType;
  /**
   * What a look has shown of it; `undefined` when it is gone. Fails as `InvalidRequest` when it may no longer be deleted.
   */
  judge(parts: ExistingParts): SeenResource | undefined | Promise<SeenResource | undefined>;
}

export function deletionOfInstance(
  { prepared, api: { reads, deletes } }: DeleteRun,
  { place, instance: { id: instanceId }, volumeIds }: FoundInstance & { instance: InstanceView },
): Deletion {
  return {
    resource: { kind: ResourceKind.instance, id: instanceId },
    expect: TaskType.deleteVm,
    async judge({ instance: seen }) {
      if (seen === undefined) return undefined;
      const faults = [
        ...boundFaults(seen, volumeIds),
        ...(await addressFaults({ prepared, reads }, instanceId)),
      ];
      if (faults.length > 0) throw refusedFailure(faults);
      // Naming a volume that is not attached makes the API refuse the call.
      const attached = seen.volumeIds.filter((id) => volumeIds.includes(id));
      return {
        lockTaskId: seen.lockTaskId,
        state: seen.status,
        send: (within) =>
          deletes.deleteInstance(within, { ...place, instanceId, volumeIds: attached }),
      };
    },
  };
}

export function deletionOfVolume(
  { api: { deletes } }: DeleteRun,
  { place, instanceId }: FoundInstance,
  volumeId: string,
): Deletion {
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
        send: (within) => deletes.deleteVolume(within, { ...place, volumeId }),
      };
    },
  };
}

export function deletionOfFloatingIp(
  { api: { deletes } }: DeleteRun,
  { place, instanceId }: FoundInstance,
  { id: floatingIpId, portId }: Attached,
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
