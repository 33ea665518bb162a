import type { FloatingIpView } from '../../../activities/floating-ips.js';
import type { ExistingParts } from '../../../activities/instance-parts.js';
import type { InstanceView } from '../../../activities/instances.js';
import type { DeleteInstanceInput } from '../../../contract/operations/types.js';
import type { Place } from '../../../contract/wire/names.js';
import type { PreparedDeleteInstance } from '../../../contract/wire/prepared.js';
import type { Run } from '../../gcore.js';

export type DeleteRun = Run<PreparedDeleteInstance, DeleteInstanceInput>;

/** The steps in order, as the status shows them. */
export const DeleteStep = {
  find: 'find instance',
  instance: 'delete instance',
  parts: 'delete volumes and floating IPs',
  verify: 'verify absence',
} as const;
export type DeleteStep = (typeof DeleteStep)[keyof typeof DeleteStep];

/** The instance, the parts that the run deletes, and the parts that it keeps. */
export interface FoundInstance {
  place: Place;
  /** `undefined` when the request no longer has an instance. */
  instanceId: string | undefined;
  /** `undefined` when the instance was gone already. */
  instance: InstanceView | undefined;
  /** How often and for how long the run has looked for an instance that was gone already. */
  looked?: string;
  /** Nobody can tell what earlier runs of the request have left, where the instance was gone already. */
  isLeftUnknown?: true;
  volumeIds: string[];
  /** These volumes, as they were read with the instance. */
  volumes?: ExistingParts | undefined;
  /** As the first look has shown them. */
  floatingIps: FloatingIpView[];
  kept: { volumes: string[]; floatingIps: string[] };
}

export function placeOf({ projectId, regionId }: PreparedDeleteInstance): Place {
  return { projectId, regionId };
}
