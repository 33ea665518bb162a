import { z } from 'zod';

import { TaskType } from '../../contract/wire/tasks.js';
import { validationError } from '../http/cloud-error.js';
import { commaList, flagSchema } from '../http/list-query.js';
import type { InstanceEntity } from '../state/rows.js';
import { type Mutation, newId, startTask } from '../state/start-task.js';
import type { World } from '../state/world.js';
import { refuseLocked } from './refuse-locked.js';

/** Query of `DELETE /cloud/v1/instances/{project_id}/{region_id}/{instance_id}`. */
export const deleteInstanceQuerySchema = z
  .strictObject({
    volumes: commaList(),
    floatings: commaList(),
    reserved_fixed_ips: commaList(),
    delete_floatings: flagSchema.default(false),
  })
  .refine((query) => !query.delete_floatings || query.floatings.length === 0, {
    path: ['floatings'],
    error: 'cannot be combined with "delete_floatings"',
  });
type DeleteInstanceQuery = z.infer<typeof deleteInstanceQuerySchema>;

/**
 * Starts the deletion. It keeps volumes that are neither listed nor marked `delete_on_termination`, and reserved
 * addresses that are not listed.
 */
export function deleteInstance(
  world: World,
  instance: Readonly<InstanceEntity>,
  { query, mutation }: { query: DeleteInstanceQuery; mutation: Mutation },
): string {
  refuseLocked('Instance', instance);
  const removed = findRemoved(world, instance, query);
  const taskId = newId();
  world.instances.update(instance.id, { taskId });
  for (const id of removed.volumeIds) world.volumes.update(id, { taskId });
  for (const id of removed.floatingIpIds) world.floatingIps.update(id, { taskId });
  for (const id of removed.reservedIpIds) world.reservedFixedIps.update(id, { taskId });
  return startTask(world, mutation, {
    id: taskId,
    data: {
      instance_uuid: instance.id,
      volumes: removed.volumeIds,
      floatings: removed.floatingIpIds,
      reserved_fixed_ips: removed.reservedIpIds,
    },
    plan: { kind: TaskType.deleteVm, instanceId: instance.id, ...removed },
  });
}

/** What goes with the instance. Everything that it has must be free, also what stays. */
function findRemoved(world: World, instance: Readonly<InstanceEntity>, query: DeleteInstanceQuery) {
  const isOfInstance = (row: { instanceId: string | null }) => row.instanceId === instance.id;
  const floatingIps = world.floatingIps.filter(isOfInstance);
  const reservedIps = world.reservedFixedIps.filter(isOfInstance);
  refuseUnattached('volumes', query.volumes, instance.volumes);
  refuseUnattached('floatings', query.floatings, floatingIps);
  refuseUnattached('reserved_fixed_ips', query.reserved_fixed_ips, reservedIps);
  for (const row of world.volumes.filter(isOfInstance)) refuseLocked('Volume', row);
  for (const row of reservedIps) refuseLocked('Reserved fixed IP', row);
  const removedIps = floatingIps.filter(
    ({ id }) => query.delete_floatings || query.floatings.includes(id),
  );
  for (const row of removedIps) refuseLocked('Floating IP', row);
  return {
    volumeIds: instance.volumes
      .filter(({ id, deleteOnTermination }) => deleteOnTermination || query.volumes.includes(id))
      .map(({ id }) => id),
    floatingIpIds: removedIps.map(({ id }) => id),
    reservedIpIds: query.reserved_fixed_ips,
  };
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
