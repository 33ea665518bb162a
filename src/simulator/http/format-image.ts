import { priceFields } from '../changes/check-limits.js';
import type { ImageEntity } from '../state/rows.js';
import type { World } from '../state/world.js';
import { formatOwner, formatTags, toUtc } from './wire-parts.js';

export type ImageObject = ReturnType<typeof formatImage>;

export function formatImage(world: World, image: Readonly<ImageEntity>) {
  const isActive = world.now() >= image.activeAt;
  return {
    ...formatOwner(image),
    name: image.name,
    description: null,
    status: isActive ? 'active' : image.taskId === null ? 'saving' : 'queued',
    visibility: image.visibility,
    architecture: image.architecture,
    disk_format: image.diskFormat,
    display_order: null,
    min_disk: image.minDisk,
    min_ram: image.minRam,
    size: isActive ? image.size : 0,
    os_type: image.osType,
    os_distro: image.osDistro,
    os_version: image.osVersion,
    hw_firmware_type: image.firmwareType,
    hw_machine_type: image.machineType,
    gpu_driver: null,
    gpu_driver_type: null,
    gpu_driver_version: null,
    is_baremetal: image.isBaremetal,
    ssh_key: image.sshKey,
    tags_v2: formatTags(image.tags),
    updated_at: toUtc(image.updatedAt),
  };
}

/** Images of the platform are free; others cost what their size costs. */
export function withImagePrice(world: World, image: Readonly<ImageEntity>) {
  const gib = image.visibility === 'public' ? 0 : image.minDisk;
  return { ...formatImage(world, image), ...priceFields({ vcpus: 0, gib }) };
}
