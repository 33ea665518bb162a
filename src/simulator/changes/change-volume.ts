import { z } from 'zod';

import { TaskType } from '../../contract/wire/tasks.js';
import { conflictError, validationError } from '../http/cloud-error.js';
import { commaList } from '../http/list-query.js';
import { parseRequest } from '../http/request-body.js';
import { snapshotsOf } from '../state/relations.js';
import type { VolumeEntity } from '../state/rows.js';
import { changeOf, removalOf, startChange } from '../state/start-change.js';
import type { Mutation } from '../state/start-task.js';
import type { RowRef } from '../state/task-entities.js';
import type { World } from '../state/world.js';
import { refuseLocked } from './refuse-locked.js';

type Volume = Readonly<VolumeEntity>;

interface Request {
  json: unknown;
  mutation: Mutation;
}

const extendBodySchema = z.strictObject({ size: z.number().int() });

/** `POST …/{volume_id}/extend`: a volume only grows. Returns the id of its task. */
export function extendVolume(world: World, volume: Volume, { json, mutation }: Request): string {
  const { size } = parseRequest(world, extendBodySchema, json);
  const { id, status } = volume;
  refuseLocked('Volume', volume);
  refuseStatus(volume, ['available', 'in-use']);
  refuseLowLatency(volume, 'extended');
  if (size <= volume.size) {
    const message = `must be greater than ${volume.size}, the current size`;
    throw validationError([{ path: 'size', message }]);
  }
  world.volumes.update(id, { status: 'extending' });
  return startChange(world, mutation, {
    kind: 'extend_volume',
    data: { volume_id: id, size },
    locked: [{ rows: 'volumes', id }],
    done: [changeOf('volumes', id, { status, size })],
    failed: [changeOf('volumes', id, { status })],
  });
}

const retypeBodySchema = z.strictObject({ volume_type: z.enum(['ssd_hiiops', 'standard']) });

/** `POST …/{volume_id}/retype`: documented without a task. */
export function retypeVolume(world: World, volume: Volume, json: unknown): void {
  const { volume_type: volumeType } = parseRequest(world, retypeBodySchema, json);
  refuseLocked('Volume', volume);
  if (snapshotsOf(world, volume.id).length > 0) {
    throw conflictError(`Volume ${volume.id} has snapshots`);
  }
  world.volumes.update(volume.id, { volumeType, updatedAt: world.now() });
}

/**
 * `POST …/{volume_id}/revert`. The answer names no task, but there is a type of task for it: until that ends the volume is
 * locked. OpenStack refuses it after a change of the size.
 */
export function revertVolume(world: World, volume: Volume, mutation: Mutation): void {
  const { id } = volume;
  refuseLocked('Volume', volume);
  refuseStatus(volume, ['available']);
  const last = snapshotsOf(world, id)
    .filter(({ status }) => status === 'available')
    .at(-1);
  if (last === undefined) throw conflictError(`Volume ${id} has no snapshot`);
  refuseLocked('Snapshot', last);
  if (last.size !== volume.size) {
    throw conflictError(`Volume ${id} no longer has the size of snapshot ${last.id}`);
  }
  world.volumes.update(id, { status: 'reverting' });
  startChange(world, mutation, {
    kind: 'revert_volume',
    data: { volume_id: id, snapshot_id: last.id },
    locked: [
      { rows: 'volumes', id },
      { rows: 'snapshots', id: last.id },
    ],
    done: [changeOf('volumes', id, { status: 'available' })],
    failed: [changeOf('volumes', id, { status: 'available' })],
  });
}

export const deleteVolumeQuerySchema = z.strictObject({ snapshots: commaList() });

/** Deletes a volume with all its snapshots, whichever of them the query names. Returns the id of the task. */
export function deleteVolume(
  world: World,
  volume: Volume,
  { query, mutation }: { query: z.infer<typeof deleteVolumeQuerySchema>; mutation: Mutation },
): string {
  const { id, status } = volume;
  refuseLocked('Volume', volume);
  if (volume.instanceId !== null) {
    throw conflictError(`Volume ${id} is attached to instance ${volume.instanceId}`);
  }
  const snapshots = snapshotsOf(world, id);
  const others = query.snapshots.filter((named) => !snapshots.some((row) => row.id === named));
  if (others.length > 0) {
    const message = `${others.join(', ')} is no snapshot of the volume`;
    throw validationError([{ path: 'snapshots', message }]);
  }
  for (const row of snapshots) refuseLocked('Snapshot', row);
  const refs = snapshots.map((row): RowRef => ({ rows: 'snapshots', id: row.id }));
  world.volumes.update(id, { status: 'deleting' });
  return startChange(world, mutation, {
    kind: TaskType.deleteVolume,
    data: { volume_id: id, snapshots: refs.map((row) => row.id) },
    locked: [{ rows: 'volumes', id }, ...refs],
    done: [removalOf('volumes', id), ...refs.map((row) => removalOf('snapshots', row.id))],
    failed: [changeOf('volumes', id, { status })],
  });
}

function refuseStatus({ id, status }: Volume, allowed: readonly Volume['status'][]): void {
  if (allowed.includes(status)) return;
  throw conflictError(`Volume ${id} is ${status}, and not ${allowed.join(' or ')}`);
}

export function refuseLowLatency({ id, volumeType }: Volume, done: string): void {
  if (volumeType !== 'ssd_lowlatency') return;
  throw conflictError(`Volume ${id} of the type ssd_lowlatency cannot be ${done}`);
}
