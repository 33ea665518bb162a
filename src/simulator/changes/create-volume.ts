import { z } from 'zod';

import { createInstanceBodySchema } from '../../contract/api/create-instance-body.js';
import { conflictError, notFoundError, validationError } from '../http/cloud-error.js';
import { parseRequest } from '../http/request-body.js';
import { findInScope } from '../http/scope.js';
import { findImage } from '../http/find-image.js';
import type { InstanceEntity, VolumeEntity } from '../state/rows.js';
import { changeOf, newRow, removalOf, startCreation } from '../state/start-change.js';
import type { Mutation } from '../state/start-task.js';
import type { RowChange } from '../state/task-entities.js';
import type { World } from '../state/world.js';
import { attachmentOf, withVolume } from './attach-volume.js';
import { tagsSchema } from '../http/tags.js';
import { refuseLocked } from './refuse-locked.js';

export const volumeNameSchema = createInstanceBodySchema.shape.name.unwrap();
const volumeTypeSchema = z.enum([
  'cold',
  'ssd_hiiops',
  'ssd_local',
  'ssd_lowlatency',
  'standard',
  'ultra',
]);

const common = {
  name: volumeNameSchema,
  type_name: volumeTypeSchema.optional(),
  tags: tagsSchema.optional(),
  instance_id_to_attach_to: z.string().optional(),
  attachment_tag: z.string().optional(),
  // Schedules of snapshots are not simulated.
  lifecycle_policy_ids: z.array(z.number().int()).optional(),
};
const sizeSchema = z.number().int().min(1);

const bodySchema = z
  .discriminatedUnion('source', [
    z.strictObject({ source: z.literal('new-volume'), size: sizeSchema, ...common }),
    z.strictObject({
      source: z.literal('image'),
      image_id: z.string(),
      size: sizeSchema,
      ...common,
    }),
    z.strictObject({
      source: z.literal('snapshot'),
      snapshot_id: z.string(),
      size: sizeSchema.optional(),
      ...common,
    }),
  ])
  .refine((body) => body.attachment_tag === undefined || body.instance_id_to_attach_to, {
    path: ['attachment_tag'],
    error: 'needs "instance_id_to_attach_to"',
  });
type Body = z.infer<typeof bodySchema>;

/** `POST /cloud/v1/volumes/{project_id}/{region_id}`. Returns the id of its task. */
export function createVolume(world: World, json: unknown, mutation: Mutation): string {
  const body = parseRequest(world, bodySchema, json);
  const content = contentOf(world, body, mutation);
  const instance = findTarget(world, body, mutation);
  const row: VolumeEntity = {
    ...newRow(world, mutation),
    name: body.name,
    status: 'creating',
    tags: body.tags ?? {},
    isRootVolume: false,
    instanceId: null,
    ...content,
  };
  return startCreation(world, mutation, {
    kind: 'create_volume',
    rows: 'volumes',
    row,
    data: { ...body, volume_id: row.id },
    locked: instance ? [{ rows: 'instances', id: instance.id }] : [],
    done: instance
      ? [
          changeOf('volumes', row.id, attachmentOf(world, instance)),
          changeOf('instances', instance.id, withVolume(instance, row.id)),
        ]
      : [changeOf('volumes', row.id, { status: 'available' })],
    failed: [leftover(row.id, mutation)],
    created: { volumes: [row.id] },
  });
}

/** A failed creation leaves nothing, unless the fault says that it leaves the volume. */
function leftover(id: string, { effects }: Mutation): RowChange {
  return effects.taskError?.leftovers === 'volume'
    ? changeOf('volumes', id, { status: 'error' })
    : removalOf('volumes', id);
}

function findTarget(
  world: World,
  { instance_id_to_attach_to: id }: Body,
  mutation: Mutation,
): Readonly<InstanceEntity> | undefined {
  if (id === undefined) return undefined;
  const instance = findInScope(world.instances, mutation, { kind: 'Instance', id });
  refuseLocked('Instance', instance);
  return instance;
}

function contentOf(world: World, body: Body, mutation: Mutation) {
  if (body.source === 'snapshot') return contentOfSnapshot(world, body, mutation);
  const { size, type_name: volumeType = 'standard' } = body;
  if (body.source === 'new-volume') return { size, volumeType, bootable: false, imageId: null };
  const image = findImage(world, mutation, body.image_id);
  if (image === undefined) throw notFoundError(`Image ${body.image_id} is not found`);
  if (size < image.minDisk) {
    const message = `must be at least ${image.minDisk} GiB for this image`;
    throw validationError([{ path: 'size', message }]);
  }
  return { size, volumeType, bootable: true, imageId: image.id };
}

/** The documented rule: a size that is given equals that of the snapshot. */
function contentOfSnapshot(
  world: World,
  body: Extract<Body, { source: 'snapshot' }>,
  mutation: Mutation,
) {
  const wanted = { kind: 'Snapshot', id: body.snapshot_id };
  const { size, status, volumeType, bootable } = findInScope(world.snapshots, mutation, wanted);
  if (status !== 'available') throw conflictError(`Snapshot ${body.snapshot_id} is ${status}`);
  if (body.size !== undefined && body.size !== size) {
    throw validationError([{ path: 'size', message: `must be ${size}, as the snapshot` }]);
  }
  return { size, volumeType: body.type_name ?? volumeType, bootable, imageId: null };
}
