import { isBootable, snapshotsOf } from '../state/relations.js';
import type { SnapshotEntity, VolumeEntity } from '../state/rows.js';
import type { World } from '../state/world.js';
import { formatOwner, formatTags, formatUpdated, toUtc } from './wire-parts.js';

export type VolumeObject = ReturnType<typeof formatVolume>;
export type SnapshotObject = ReturnType<typeof formatSnapshot>;

/** The documented limits: by GiB, and at most. */
const LIMITS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  standard: [6, 4500, 0.4, 300],
  ssd_hiiops: [60, 9000, 2.5, 500],
};

export function formatVolume(world: World, volume: Readonly<VolumeEntity>) {
  const { instanceId } = volume;
  const attachment = instanceId !== null && {
    server_id: instanceId,
    volume_id: volume.id,
    attachment_id: volume.id,
    instance_name: world.instances.get(instanceId)?.name ?? null,
    flavor_id: world.instances.get(instanceId)?.flavorId ?? null,
    attached_at: toUtc(volume.attachedAt ?? volume.createdAt),
    device: volume.device ?? null,
  };
  return {
    ...formatOwner(volume),
    updated_at: formatUpdated(volume),
    name: volume.name,
    status: volume.status,
    size: volume.size,
    volume_type: volume.volumeType,
    bootable: isBootable(volume),
    is_root_volume: volume.isRootVolume,
    attachments: attachment && volume.status !== 'creating' ? [attachment] : [],
    tags: formatTags(volume.tags),
    snapshot_ids: snapshotsOf(world, volume.id).map(({ id }) => id),
    limiter_stats: formatLimits(volume),
    volume_image_metadata: volume.imageId ? { image_id: volume.imageId } : null,
  };
}

function formatLimits({ volumeType, size }: Readonly<VolumeEntity>) {
  const limits = LIMITS[volumeType];
  if (limits === undefined) return null;
  const [iops, maxIops, megabytes, maxMegabytes] = limits;
  return {
    iops_base_limit: Math.min(iops * size, maxIops),
    iops_burst_limit: maxIops,
    MBps_base_limit: Math.min(Math.ceil(megabytes * size), maxMegabytes),
    MBps_burst_limit: maxMegabytes,
  };
}

export function formatSnapshot(snapshot: Readonly<SnapshotEntity>) {
  const { name, description, size, status, volumeId, tags } = snapshot;
  return {
    ...formatOwner(snapshot),
    updated_at: formatUpdated(snapshot),
    name,
    description,
    size,
    status,
    volume_id: volumeId,
    tags: formatTags(tags),
  };
}
