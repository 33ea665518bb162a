import type { FloatingIpView } from '../../../activities/floating-ips.js';
import type { InstanceView } from '../../../activities/instances.js';
import type { Place } from '../../../contract/place.js';
import type { PreparedDeleteInstance } from '../../../contract/prepared/delete-instance.js';
import type { Run } from '../../engine/run/run-types.js';

export type DeleteRun = Run<PreparedDeleteInstance>;

/** The steps, in order, as a person sees them. */
export const DeleteStep = {
  find: 'find instance',
  instance: 'delete instance',
  parts: 'delete volumes and floating IPs',
  verify: 'verify absence',
} as const;
export type DeleteStep = (typeof DeleteStep)[keyof typeof DeleteStep];

/** A floating IP, as the first look has seen it. */
export type Attached = Pick<FloatingIpView, 'id' | 'portId'>;

/** What is to be deleted, and what is not. */
export interface FoundInstance {
  place: Place;
  /** Missing when the request has no instance any more. */
  instanceId: string | undefined;
  /** Missing when the instance was gone already. */
  instance: InstanceView | undefined;
  volumeIds: string[];
  floatingIps: Attached[];
  kept: { volumes: string[]; floatingIps: string[] };
}

export function placeOf({ projectId, regionId }: PreparedDeleteInstance): Place {
  return { projectId, regionId };
}
