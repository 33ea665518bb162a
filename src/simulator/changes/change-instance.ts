import { z } from 'zod';

import { createInstanceBodySchema } from '../../contract/api/create-instance-body.js';
import { tagsBodySchema } from '../../contract/api/cloud.js';
import { OWN_TAGS } from '../../contract/wire/names.js';
import { TaskType } from '../../contract/wire/tasks.js';
import { conflictError, validationError } from '../http/cloud-error.js';
import { parseRequest } from '../http/request-body.js';
import type { FloatingIpEntity, InstanceEntity } from '../state/rows.js';
import { type Mutation, newId, startTask } from '../state/start-task.js';
import type { World } from '../state/world.js';

const patchBodySchema = z.strictObject({
  name: createInstanceBodySchema.shape.name,
  tags: z.record(z.string(), z.string().nullable()).optional(),
});

/** Applies a merge patch of name and tags immediately; `null` removes a tag. */
export function patchInstance(
  world: World,
  instance: Readonly<InstanceEntity>,
  json: unknown,
): void {
  const { name, tags = {} } = parseRequest(world, patchBodySchema, json);
  // The contract reserves these tags for the worker. For the API they are normal tags.
  const kept = Object.entries(tags).filter(
    ([key, value]) => value !== null && !OWN_TAGS.includes(key),
  );
  parseRequest(world, z.object({ tags: tagsBodySchema }), { tags: Object.fromEntries(kept) });
  const merged = { ...instance.tags };
  for (const [key, value] of Object.entries(tags)) {
    if (value === null) Reflect.deleteProperty(merged, key);
    else merged[key] = value;
  }
  world.instances.update(instance.id, { ...(name !== undefined && { name }), tags: merged });
}

/** Query of `DELETE /cloud/v1/instances/{project_id}/{region_id}/{instance_id}`. */
export const deleteInstanceQuerySchema = z
  .strictObject({
    volumes: commaList(),
    floatings: commaList(),
    reserved_fixed_ips: commaList(),
    delete_floatings: z
      .enum(['true', 'false'])
      .default('false')
      .transform((text) => text === 'true'),
  })
  .refine((query) => !query.delete_floatings || query.floatings.length === 0, {
    path: ['floatings'],
    error: 'cannot be combined with "delete_floatings"',
  });
type DeleteInstanceQuery = z.infer<typeof deleteInstanceQuerySchema>;

function commaList() {
  return z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((id) => id !== ''));
}

/** Starts the deletion. It keeps volumes that are neither listed nor marked `delete_on_termination`. */
export function deleteInstance(
  world: World,
  instance: Readonly<InstanceEntity>,
  { query, mutation }: { query: DeleteInstanceQuery; mutation: Mutation },
): string {
  refuseLocked('Instance', instance);
  const attached = world.floatingIps.filter((row) => row.instanceId === instance.id);
  refuseUnattached('volumes', query.volumes, instance.volumes);
  refuseUnattached('floatings', query.floatings, attached);
  const volumeIds = instance.volumes
    .filter((volume) => volume.deleteOnTermination || query.volumes.includes(volume.id))
    .map((volume) => volume.id);
  const floatingIps = attached.filter(
    (row) => query.delete_floatings || query.floatings.includes(row.id),
  );
  floatingIps.forEach((row) => {
    refuseLocked('Floating IP', row);
  });
  const floatingIpIds = floatingIps.map((row) => row.id);
  const taskId = newId();
  world.instances.update(instance.id, { taskId });
  for (const id of volumeIds) world.volumes.update(id, { taskId });
  for (const id of floatingIpIds) world.floatingIps.update(id, { taskId });
  return startTask(world, mutation, {
    id: taskId,
    data: { instance_uuid: instance.id, volumes: volumeIds, floatings: floatingIpIds },
    plan: { kind: TaskType.deleteVm, instanceId: instance.id, volumeIds, floatingIpIds },
  });
}

/** Allows one mutation at a time: while a task runs, the API refuses others and does not queue them. */
export function refuseLocked(
  kind: string,
  row: Readonly<Pick<FloatingIpEntity, 'id' | 'taskId'>>,
): void {
  if (row.taskId !== null) {
    throw conflictError(`${kind} ${row.id} is locked by task ${row.taskId}`);
  }
}

function refuseUnattached(
  field: string,
  ids: readonly string[],
  attached: readonly { id: string }[],
): void {
  const unattached = ids.filter((id) => !attached.some((row) => row.id === id));
  if (unattached.length === 0) return;
  throw validationError(
    unattached.map((id) => ({ path: field, message: `${id} is not attached to the instance` })),
  );
}
