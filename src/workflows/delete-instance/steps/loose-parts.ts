import type { FloatingIpView, FloatingIpsOfInstance } from '../../../activities/floating-ips.js';
import type { InstanceView } from '../../../activities/instances.js';
import type { VolumeView } from '../../../activities/lookups.js';
import { ResourceKind, type Place } from '../../../contract/wire/names.js';
import { orUndefinedIfGone } from '../../../engine/run/failures.js';
import { placeOf, type DeleteRun } from './delete-run.js';
import { findPart } from './find-part.js';

/** Reads the volumes with these ids and leaves out those that do not exist. */
export async function existingVolumes(
  run: DeleteRun,
  ids: readonly string[],
): Promise<(VolumeView & { id: string })[]> {
  const place = placeOf(run.prepared);
  const seen: (VolumeView & { id: string })[] = [];
  for (const id of ids) {
    const look = () => orUndefinedIfGone(run.api.reads.getVolume({ ...place, id }));
    const found = await findPart(run, { kind: ResourceKind.volume, id }, { look });
    if (found.kind === 'found') seen.push({ ...found.seen, id });
  }
  return seen;
}

/** Reads the floating IPs with these ids and leaves out those that do not exist. */
export async function existingFloatingIps(
  run: DeleteRun,
  ids: readonly string[],
): Promise<FloatingIpView[]> {
  const place = placeOf(run.prepared);
  const seen: FloatingIpView[] = [];
  for (const id of ids) {
    const look = () => orUndefinedIfGone(run.api.reads.getFloatingIp({ ...place, id }));
    const found = await findPart(run, { kind: ResourceKind.floatingIp, id }, { look });
    if (found.kind === 'found') seen.push(found.seen);
  }
  return seen;
}

/** Returns the floating addresses that the instance itself shows. */
export function floatingAddressesOf({ addresses }: Pick<InstanceView, 'addresses'>): string[] {
  return addresses.filter(({ type }) => type === 'floating').map(({ address }) => address);
}

/** Reads the floating IPs of the instance. */
export async function readFloatingIps(
  read: (input: FloatingIpsOfInstance) => Promise<{ floatingIps: FloatingIpView[] }>,
  { place, instance }: { place: Place; instance: Pick<InstanceView, 'id' | 'addresses'> },
): Promise<FloatingIpView[]> {
  const { id: instanceId } = instance;
  const addresses = floatingAddressesOf(instance);
  return (await read({ ...place, instanceId, addresses })).floatingIps;
}
