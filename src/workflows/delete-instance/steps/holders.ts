import type { FloatingIpView } from '../../../activities/floating-ips.js';
import type { VolumeView } from '../../../activities/lookups.js';

/** What else a volume is attached to; `undefined` when it is free, or still with its instance. */
export function otherHolderOfVolume(
  { attachedTo = [] }: Pick<VolumeView, 'attachedTo'>,
  instanceId: string | undefined,
): string | undefined {
  const other = attachedTo.find((id) => id !== instanceId);
  return other === undefined ? undefined : `instance ${other}`;
}

/** Where a floating IP was when the run first looked. */
export interface FloatingIpHome {
  instanceId?: string | undefined;
  portId?: string | undefined;
}

/** The same of a floating IP. The API may name its port without the instance. */
export function otherHolderOfFloatingIp(
  { instanceId, portId }: Pick<FloatingIpView, 'instanceId' | 'portId'>,
  home: FloatingIpHome,
): string | undefined {
  if (instanceId !== undefined) {
    return instanceId === home.instanceId ? undefined : `instance ${instanceId}`;
  }
  return portId === undefined || portId === home.portId ? undefined : `port ${portId}`;
}
