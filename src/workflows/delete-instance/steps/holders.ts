import type { FloatingIpView } from '../../../activities/floating-ips.js';
import type { VolumeView } from '../../../activities/lookups.js';

/** Returns the other instance of a volume; `undefined` when it is free or attached to its own instance. */
export function otherHolderOfVolume(
  { attachedTo = [] }: Pick<VolumeView, 'attachedTo'>,
  instanceId: string | undefined,
): string | undefined {
  const other = attachedTo.find((id) => id !== instanceId);
  return other === undefined ? undefined : `instance ${other}`;
}

/** Where a floating IP was at the first look. */
export interface FloatingIpHome {
  instanceId?: string | undefined;
  portId?: string | undefined;
}

/** Returns the other holder of a floating IP. The API may name its port without the instance. */
export function otherHolderOfFloatingIp(
  { instanceId, portId }: Pick<FloatingIpView, 'instanceId' | 'portId'>,
  home: FloatingIpHome,
): string | undefined {
  if (instanceId !== undefined) {
    return instanceId === home.instanceId ? undefined : `instance ${instanceId}`;
  }
  return portId === undefined || portId === home.portId ? undefined : `port ${portId}`;
}
