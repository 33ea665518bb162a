import { z } from 'zod';

import { validationError } from '../http/cloud-error.js';
import { parseRequest } from '../http/request-body.js';
import { findInScope } from '../http/scope.js';
import { refuseStock } from '../http/stocked.js';
import { patchTags, tagsPatchSchema, tagsSchema } from '../http/tags.js';
import { isBootable } from '../state/relations.js';
import type { ImageEntity } from '../state/rows.js';
import { newRow, removalOf, startChange, startCreation } from '../state/start-change.js';
import { type Mutation, nextDuration } from '../state/start-task.js';
import type { World } from '../state/world.js';
import { refuseLocked } from './refuse-locked.js';

const GIB = 1024 ** 3;
const DOWNLOADED_GIB = 5;

const settingsShape = {
  hw_firmware_type: z.enum(['bios', 'uefi']).nullable(),
  hw_machine_type: z.enum(['i440', 'q35']).nullable(),
  os_type: z.enum(['linux', 'windows']),
  ssh_key: z.enum(['allow', 'deny', 'required']),
};

const newShape = {
  name: z.string().min(1),
  architecture: z.enum(['aarch64', 'x86_64']).default('x86_64'),
  hw_firmware_type: settingsShape.hw_firmware_type.default(null),
  hw_machine_type: settingsShape.hw_machine_type.default(null),
  is_baremetal: z.boolean().default(false),
  os_type: settingsShape.os_type.default('linux'),
  ssh_key: settingsShape.ssh_key.default('allow'),
  tags: tagsSchema.default({}),
};

const volumeBodySchema = z.strictObject({
  ...newShape,
  volume_id: z.string(),
  source: z.literal('volume').default('volume'),
});

const urlBodySchema = z.strictObject({
  ...newShape,
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  cow_format: z.boolean().default(false),
  os_distro: z.string().nullable().default(null),
  os_version: z.string().nullable().default(null),
});

type NewImage = Omit<z.infer<typeof urlBodySchema>, 'url'> & { gib: number };

const patchBodySchema = z.strictObject({
  ...z.object(settingsShape).partial().shape,
  name: z.string().min(1).optional(),
  is_baremetal: z.boolean().nullable().optional(),
  tags: tagsPatchSchema.optional(),
});

/** `POST /cloud/v1/images/{project_id}/{region_id}`. Returns the id of its task. */
export function createImageFromVolume(world: World, json: unknown, mutation: Mutation): string {
  const body = parseRequest(world, volumeBodySchema, json);
  const id = body.volume_id;
  const volume = findInScope(world.volumes, mutation, { kind: 'Volume', id });
  refuseLocked('Volume', volume);
  if (!isBootable(volume)) {
    throw validationError([{ path: 'volume_id', message: `Volume ${id} is not bootable` }]);
  }
  const origin = { cow_format: false, os_distro: null, os_version: null, gib: volume.size };
  const row = toRow(world, { ...body, ...origin }, mutation);
  const taskId = startImage(world, mutation, { kind: 'create_image', row, data: { ...body } });
  world.images.update(row.id, { activeAt: endOf(world, taskId) });
  return taskId;
}

/** Shortest and longest seconds at a time scale of 1. */
const SAVING_SECONDS = [5, 20] as const;

/**
 * `POST /cloud/v1/downloadimage/{project_id}/{region_id}`. Nothing is downloaded. As the client's comments
 * say, the task ends when the octets are handed over, and the image is saved only later.
 */
export function uploadImage(world: World, json: unknown, mutation: Mutation): string {
  const body = parseRequest(world, urlBodySchema, json);
  const row = toRow(world, { ...body, gib: DOWNLOADED_GIB }, mutation);
  const taskId = startImage(world, mutation, { kind: 'download_image', row, data: { ...body } });
  const activeAt = endOf(world, taskId) + nextDuration(world, SAVING_SECONDS);
  world.images.update(row.id, { activeAt });
  return taskId;
}

function endOf(world: World, taskId: string): number {
  return world.tasks.get(taskId)?.endsAt ?? world.now();
}

function startImage(
  world: World,
  mutation: Mutation,
  image: {
    kind: 'create_image' | 'download_image';
    row: ImageEntity;
    data: Record<string, unknown>;
  },
): string {
  return startCreation(world, mutation, {
    ...image,
    rows: 'images',
    created: { images: [image.row.id] },
  });
}

function toRow(world: World, image: NewImage, mutation: Mutation): ImageEntity {
  return {
    ...newRow(world, mutation),
    name: image.name,
    activeAt: world.now(),
    visibility: 'private',
    architecture: image.architecture,
    diskFormat: image.cow_format ? 'raw' : 'qcow2',
    minDisk: image.gib,
    minRam: 0,
    size: image.gib * GIB,
    osType: image.os_type,
    osDistro: image.os_distro ?? '',
    osVersion: image.os_version ?? '',
    firmwareType: image.hw_firmware_type,
    machineType: image.hw_machine_type,
    isBaremetal: image.is_baremetal,
    sshKey: image.ssh_key,
    tags: image.tags,
    updatedAt: world.now(),
  };
}

/** Changes an image immediately. */
export function patchImage(world: World, image: Readonly<ImageEntity>, json: unknown): void {
  const body = parseRequest(world, patchBodySchema, json);
  refuseStock('images', image);
  refuseLocked('Image', image);
  const { hw_firmware_type: firmware, hw_machine_type: machine } = body;
  world.images.update(image.id, {
    name: body.name ?? image.name,
    firmwareType: firmware === undefined ? image.firmwareType : firmware,
    machineType: machine === undefined ? image.machineType : machine,
    osType: body.os_type ?? image.osType,
    sshKey: body.ssh_key ?? image.sshKey,
    isBaremetal: body.is_baremetal ?? image.isBaremetal,
    tags: patchTags(image.tags, body.tags),
    updatedAt: world.now(),
  });
}

export function deleteImage(
  world: World,
  image: Readonly<ImageEntity>,
  mutation: Mutation,
): string {
  const { id } = image;
  refuseStock('images', image);
  refuseLocked('Image', image);
  return startChange(world, mutation, {
    kind: 'delete_image',
    data: { image_id: id },
    locked: [{ rows: 'images', id }],
    done: [removalOf('images', id)],
  });
}
