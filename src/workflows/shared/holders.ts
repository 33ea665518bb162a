import type { FloatingIpView } from '../../activities/floating-ips.js';
import type { VolumeView } from '../../activities/lookups.js';

/** Returns another instance than these that holds a volume; `undefined` when there is none. */
export function otherHolderOfVolume(
  { attachedTo = [] }: Pick<VolumeView, 'attachedTo'>,
  instanceIds: readonly string[],
): string | undefined {
  const other = attachedTo.find((id) => !instanceIds.includes(id));
  return other === undefined ? undefined : `instance ${other}`;
}

/** An instance that is gone holds nothing. */
export function ownIds(instanceId: string | undefined): readonly string[] {
  return instanceId === undefined ? [] : [instanceId];
}

/** Where a floating IP may be. */
export interface FloatingIpHome {
  instanceIds: readonly string[];
  /** Its port at the first look. */
  portId?: string | undefined;
}

/** Returns the other holder of a floating IP. The API may name its port without the instance. */
export function otherHolderOfFloatingIp(
  { instanceId, portId }: Pick<FloatingIpView, 'instanceId' | 'portId'>,
  home: FloatingIpHome,
): string | undefined {
  if (instanceId !== undefined) {
    return home.instanceIds.includes(instanceId) ? undefined : `instance ${instanceId}`;
  }
  return portId === undefined || portId === home.portId ? undefined : `port ${portId}`;
}
