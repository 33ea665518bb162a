import type { FloatingIpView } from '../../activities/floating-ips.js';
import type { VolumeView } from '../../activities/lookups.js';

/** In any other status somebody uses it: `attaching`, `backing-up`, `extending`. */
const UNUSED: readonly string[] = ['available', 'creating', 'deleting', 'error', 'error_deleting'];

type Held = Pick<VolumeView, 'attachedTo' | 'status'>;

/** Ids of the instances that have a volume. `undefined`: some instance may have it, and the API does not say which. */
export function holdersOf({ attachedTo, status }: Held): readonly string[] | undefined {
  return attachedTo ?? (UNUSED.includes(status) ? [] : undefined);
}

/** In words. */
export function describeHolders(volume: Held): string {
  const ids = holdersOf(volume);
  if (ids === undefined) return UNNAMED;
  return ids.length === 0 ? 'no instance' : `instance ${ids.join(', ')}`;
}

const UNNAMED = 'an instance that the API does not name';

/** Returns another instance than these that has a volume, or may have it; `undefined` when there is none. */
export function otherHolderOfVolume(
  volume: Held,
  instanceIds: readonly string[],
): string | undefined {
  const holders = holdersOf(volume);
  if (holders === undefined) return UNNAMED;
  const other = holders.find((id) => !instanceIds.includes(id));
  return other === undefined ? undefined : `instance ${other}`;
}

/** What the removal of a volume would take from others, in words; `undefined` when nobody uses it. */
export function describeUse({ status, attachedTo: [instanceId] = [] }: Held): string | undefined {
  if (instanceId !== undefined) return `somebody has attached it to instance ${instanceId}`;
  return UNUSED.includes(status) ? undefined : `somebody uses it: its status is ${status}`;
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
