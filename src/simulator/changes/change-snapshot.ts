import { z } from 'zod';

import { conflictError } from '../http/cloud-error.js';
import { parseRequest } from '../http/request-body.js';
import { findInScope } from '../http/scope.js';
import { isBootable } from '../state/relations.js';
import type { SnapshotEntity, VolumeEntity } from '../state/rows.js';
import { changeOf, newRow, removalOf, startChange, startCreation } from '../state/start-change.js';
import type { Mutation } from '../state/start-task.js';
import type { World } from '../state/world.js';
import { refuseLowLatency } from './change-volume.js';
import { volumeNameSchema } from './create-volume.js';
import { tagsSchema } from '../http/tags.js';
import { refuseLocked } from './refuse-locked.js';

const createBodySchema = z.strictObject({
  name: volumeNameSchema,
  volume_id: z.string(),
  description: z.string().optional(),
  tags: tagsSchema.optional(),
});

/** `POST /cloud/v1/snapshots/{project_id}/{region_id}`: of a volume that is free or in use. Returns the id of its task. */
export function createSnapshot(world: World, json: unknown, mutation: Mutation): string {
  const body = parseRequest(world, createBodySchema, json);
  const volume = findInScope(world.volumes, mutation, { kind: 'Volume', id: body.volume_id });
  refuseLocked('Volume', volume);
  if (!['available', 'in-use'].includes(volume.status)) {
    throw conflictError(`Volume ${volume.id} is ${volume.status}`);
  }
  refuseLowLatency(volume, 'snapshotted');
  const row = rowOf(volume, body, newRow(world, mutation));
  return startCreation(world, mutation, {
    kind: 'create_snapshot',
    rows: 'snapshots',
    row,
    data: { ...body, snapshot_id: row.id },
    locked: [{ rows: 'volumes', id: volume.id }],
    done: [changeOf('snapshots', row.id, { status: 'available' })],
    created: { snapshots: [row.id] },
  });
}

function rowOf(
  volume: Readonly<VolumeEntity>,
  body: z.infer<typeof createBodySchema>,
  common: ReturnType<typeof newRow>,
): SnapshotEntity {
  return {
    ...common,
    name: body.name,
    description: body.description ?? null,
    tags: body.tags ?? {},
    status: 'creating',
    size: volume.size,
    volumeType: volume.volumeType,
    bootable: isBootable(volume),
    volumeId: volume.id,
  };
}

export function deleteSnapshot(
  world: World,
  snapshot: Readonly<SnapshotEntity>,
  mutation: Mutation,
): string {
  const { id, status } = snapshot;
  refuseLocked('Snapshot', snapshot);
  world.snapshots.update(id, { status: 'deleting' });
  return startChange(world, mutation, {
    kind: 'delete_snapshot',
    data: { snapshot_id: id },
    locked: [{ rows: 'snapshots', id }],
    done: [removalOf('snapshots', id)],
    failed: [changeOf('snapshots', id, { status })],
  });
}
