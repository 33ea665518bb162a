import type { FloatingIpView } from '../../../activities/floating-ips.js';
import type { InstanceView } from '../../../activities/instances.js';
import { otherHolderOfFloatingIp } from '../../shared/holders.js';
import type { FoundInstance } from './delete-run.js';
import { floatingAddressesOf } from './loose-parts.js';

/**
 * Whether somebody has attached a part to the instance, or taken one from it, since the parts were chosen. What is chosen is what
 * the instance has: a part that somebody has taken away is left alone, as it is at the first look.
 */
export function isChanged(
  { instance: before, volumeIds, floatingIps, kept }: FoundInstance & { instance: InstanceView },
  instance: InstanceView,
  seen: readonly FloatingIpView[],
): boolean {
  const addresses = floatingAddressesOf(before);
  const isAttached = (id: string): boolean => instance.volumeIds.includes(id);
  return (
    !volumeIds.every(isAttached) ||
    instance.volumeIds.some((id) => ![...volumeIds, ...kept.volumes].includes(id)) ||
    floatingAddressesOf(instance).some((address) => !addresses.includes(address)) ||
    floatingIps.some((one) => isElsewhere(one, seen, instance.id))
  );
}

/** One that does not show may be gone. */
function isElsewhere(
  { id, portId }: FloatingIpView,
  seen: readonly FloatingIpView[],
  instanceId: string,
): boolean {
  const now = seen.find((one) => one.id === id);
  if (now === undefined) return false;
  const isApart = portId !== undefined && now.portId === undefined && now.instanceId === undefined;
  return (
    isApart || otherHolderOfFloatingIp(now, { instanceIds: [instanceId], portId }) !== undefined
  );
}
