import { z } from 'zod';

import { conflictError } from '../http/cloud-error.js';
import { parseRequest } from '../http/request-body.js';
import { findInScope } from '../http/scope.js';
import type { InstanceEntity, VolumeEntity } from '../state/rows.js';
import { changeOf, startChange } from '../state/start-change.js';
import type { Mutation } from '../state/start-task.js';
import type { RowRef } from '../state/task-entities.js';
import type { World } from '../state/world.js';
import { deviceAt } from './boot-volumes.js';
import { refuseLocked } from './refuse-locked.js';

const attachBodySchema = z.strictObject({
  instance_id: z.string(),
  attachment_tag: z.string().optional(),
});
const detachBodySchema = z.strictObject({ instance_id: z.string() });

interface Request {
  json: unknown;
  mutation: Mutation;
}

/** `POST /cloud/v2/volumes/{project_id}/{region_id}/{volume_id}/attach`. Returns the id of its task. */
export function attachVolume(
  world: World,
  volume: Readonly<VolumeEntity>,
  { json, mutation }: Request,
): string {
  const body = parseRequest(world, attachBodySchema, json);
  const instance = findFree(world, volume, { id: body.instance_id, mutation });
  if (volume.status !== 'available') {
    throw conflictError(`Volume ${volume.id} is ${volume.status}, and not available`);
  }
  world.volumes.update(volume.id, { status: 'attaching' });
  return startChange(world, mutation, {
    kind: 'attach_volume',
    data: { ...body, volume_id: volume.id },
    locked: bothOf(volume, instance),
    done: [
      changeOf('volumes', volume.id, { ...attachmentOf(world, instance), isRootVolume: false }),
      changeOf('instances', instance.id, withVolume(instance, volume.id)),
    ],
    failed: [changeOf('volumes', volume.id, { status: 'available' })],
  });
}

/**
 * `POST /cloud/v2/volumes/{project_id}/{region_id}/{volume_id}/detach`. Returns the id of its task. That a volume which the
 * instance boots from stays with it is inferred from OpenStack.
 */
export function detachVolume(
  world: World,
  volume: Readonly<VolumeEntity>,
  { json, mutation }: Request,
): string {
  const { instance_id: instanceId } = parseRequest(world, detachBodySchema, json);
  const instance = findFree(world, volume, { id: instanceId, mutation });
  if (volume.instanceId !== instanceId) {
    throw conflictError(`Volume ${volume.id} is not attached to instance ${instanceId}`);
  }
  if (volume.isRootVolume) {
    throw conflictError(`Volume ${volume.id} is the root volume of instance ${instanceId}`);
  }
  world.volumes.update(volume.id, { status: 'detaching' });
  const volumes = instance.volumes.filter(({ id }) => id !== volume.id);
  const detached = { instanceId: null, device: null, attachedAt: null };
  return startChange(world, mutation, {
    kind: 'detach_volume',
    data: { instance_id: instanceId, volume_id: volume.id },
    locked: bothOf(volume, instance),
    done: [
      changeOf('volumes', volume.id, { status: 'available', ...detached }),
      changeOf('instances', instance.id, { volumes }),
    ],
    failed: [changeOf('volumes', volume.id, { status: 'in-use' })],
  });
}

function findFree(
  world: World,
  volume: Readonly<VolumeEntity>,
  { id, mutation }: { id: string; mutation: Mutation },
): Readonly<InstanceEntity> {
  const instance = findInScope(world.instances, mutation, { kind: 'Instance', id });
  refuseLocked('Volume', volume);
  refuseLocked('Instance', instance);
  return instance;
}

function bothOf(volume: Readonly<VolumeEntity>, instance: Readonly<InstanceEntity>): RowRef[] {
  return [
    { rows: 'volumes', id: volume.id },
    { rows: 'instances', id: instance.id },
  ];
}

/** What a volume has once it is attached. The next device is the first that no volume of the instance has. */
export function attachmentOf(world: World, instance: Readonly<InstanceEntity>) {
  const used = instance.volumes.map(({ id }) => world.volumes.get(id)?.device);
  const devices = Array.from({ length: used.length + 1 }, (_, index) => deviceAt(index));
  return {
    status: 'in-use' as const,
    instanceId: instance.id,
    device: devices.find((device) => !used.includes(device)) ?? null,
    attachedAt: world.now(),
  };
}

export function withVolume(instance: Readonly<InstanceEntity>, volumeId: string) {
  return { volumes: [...instance.volumes, { id: volumeId, deleteOnTermination: false }] };
}
