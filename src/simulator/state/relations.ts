/** What belongs to a row, by the ids that others have of it. */
import type { DdosProfileEntity, InstanceEntity, SnapshotEntity, VolumeEntity } from './rows.js';
import type { World } from './world.js';

/** Until something says otherwise, only a root volume can be booted from. */
export function isBootable({ bootable, isRootVolume }: Readonly<VolumeEntity>): boolean {
  return bootable ?? isRootVolume;
}

export function snapshotsOf(world: World, volumeId: string): Readonly<SnapshotEntity>[] {
  return world.snapshots.filter((row) => row.volumeId === volumeId);
}

/** The DDoS profile of one of the addresses of the instance. */
export function findProfile(
  world: World,
  instance: Readonly<InstanceEntity>,
): Readonly<DdosProfileEntity> | undefined {
  const addresses = addressesOf(world, instance);
  return world.ddosProfiles.filter((row) => addresses.includes(row.address))[0];
}

/** Every address by which the instance can be reached. */
export function addressesOf(world: World, instance: Readonly<InstanceEntity>): string[] {
  const fixed = instance.ports.flatMap(({ addresses }) => addresses.map(({ ip }) => ip));
  const floating = world.floatingIps.filter((row) => row.instanceId === instance.id);
  return [...fixed, ...floating.map(({ address }) => address)];
}

/** A reserved address goes to an instance, or away from it, and its floating IPs with it. */
export function moveReservedIp(
  world: World,
  id: string,
  change: { instanceId: string | null; taskId: string | null },
): void {
  world.reservedFixedIps.update(id, change);
  const { instanceId } = change;
  for (const row of world.floatingIps.filter(({ portId }) => portId === id)) {
    world.floatingIps.update(row.id, { instanceId });
  }
}
