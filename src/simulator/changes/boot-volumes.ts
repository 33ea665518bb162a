/** The volumes of a create call of an instance. */
import type { SentInstanceBody } from '../../contract/api/create-instance-body.js';
import type { Scope } from '../http/scope.js';
import { findImage } from '../http/find-image.js';
import type { SnapshotEntity, VolumeEntity } from '../state/rows.js';
import { newRow } from '../state/start-change.js';
import type { World } from '../state/world.js';
import type { Creation } from './creation.js';

type VolumeBody = SentInstanceBody['volumes'][number];
export type ExistingVolumeBody = Extract<VolumeBody, { source: 'existing-volume' }>;
type NewVolumeBody = Exclude<VolumeBody, ExistingVolumeBody>;

const DEFAULT_SIZE_GIB = 10;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Such as `/dev/vda` for the first volume, and `/dev/vdaa` for the twenty-seventh. */
export function deviceAt(index: number): string {
  const { length } = LETTERS;
  const before = index < length ? '' : LETTERS.charAt(Math.floor(index / length) - 1);
  return `/dev/vd${before}${LETTERS.charAt(index % length)}`;
}

export function insertVolume(
  world: World,
  creation: Creation,
  { volume, index, device }: { volume: NewVolumeBody; index: number; device: string },
): string {
  const row: VolumeEntity = {
    ...newRow(world, creation.mutation, creation.taskId),
    name: volume.name ?? `${creation.name}_volume_${index}`,
    status: 'creating',
    instanceId: creation.instanceId,
    device,
    isRootVolume: volume.source !== 'new-volume' && volume.boot_index === 0,
    tags: volume.tags ?? {},
    ...contentOf(world, creation, volume),
  };
  world.volumes.insert(row);
  return row.id;
}

/** What a new volume is made from decides what it is, unless the body says it. */
function contentOf(world: World, { mutation }: Creation, volume: NewVolumeBody) {
  const { size, type_name: type } = volume;
  const content = sourceOf(world, mutation, volume);
  return {
    size: size ?? content.size,
    volumeType: type ?? content.volumeType,
    bootable: content.bootable,
    imageId: content.imageId,
  };
}

function sourceOf(world: World, scope: Scope, volume: NewVolumeBody) {
  const source = { size: DEFAULT_SIZE_GIB, volumeType: 'standard', imageId: null };
  if (volume.source === 'image') {
    const least = findImage(world, scope, volume.image_id)?.minDisk ?? 0;
    const size = Math.max(least, DEFAULT_SIZE_GIB);
    return { ...source, size, bootable: true, imageId: volume.image_id };
  }
  const snapshot =
    volume.source === 'snapshot' ? world.snapshots.get(volume.snapshot_id) : undefined;
  const bootable = volume.source === 'apptemplate';
  return { ...source, bootable, ...(snapshot && kindOf(snapshot)) };
}

function kindOf({ volumeType, bootable }: Readonly<SnapshotEntity>) {
  return { volumeType, bootable };
}

/** Adds the tags of the body to the tags of the volume. So a tag does not prove who created the volume. */
export function attachVolume(
  world: World,
  { taskId, instanceId }: Creation,
  { volume, device }: { volume: ExistingVolumeBody; device: string },
): string {
  const tags = { ...world.volumes.get(volume.volume_id)?.tags, ...volume.tags };
  const isRootVolume = volume.boot_index === 0;
  const change = { taskId, instanceId, device, tags, isRootVolume };
  world.volumes.update(volume.volume_id, { ...change, status: 'attaching' });
  return volume.volume_id;
}
