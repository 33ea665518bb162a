import type { FloatingIpView } from '../../../activities/floating-ips.js';
import type { InstanceView } from '../../../activities/instances.js';
import { without } from '../../../engine/core/lists.js';
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
  const shown = new Map(seen.map((one) => [one.id, one]));
  return (
    without(volumeIds, instance.volumeIds).length > 0 ||
    without(instance.volumeIds, volumeIds, kept.volumes).length > 0 ||
    without(floatingAddressesOf(instance), addresses).length > 0 ||
    floatingIps.some((one) => isElsewhere(one, shown.get(one.id), instance.id))
  );
}

/** One that does not show may be gone. */
function isElsewhere(
  { portId }: FloatingIpView,
  now: FloatingIpView | undefined,
  instanceId: string,
): boolean {
  if (now === undefined) return false;
  const isApart = portId !== undefined && now.portId === undefined && now.instanceId === undefined;
  return (
    isApart || otherHolderOfFloatingIp(now, { instanceIds: [instanceId], portId }) !== undefined
  );
}
