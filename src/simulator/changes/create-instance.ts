import type { SentInstanceBody } from '../../contract/api/create-instance-body.js';
import { conflictError } from '../http/cloud-error.js';
import { findInScope } from '../http/scope.js';
import type { Port } from '../state/cloud-entities.js';
import { moveReservedIp } from '../state/relations.js';
import { type Mutation, newId, startTask } from '../state/start-task.js';
import { newRow } from '../state/start-change.js';
import type { World } from '../state/world.js';
import { nextFloatingAddress } from './addresses.js';
import { attachVolume, deviceAt, type ExistingVolumeBody, insertVolume } from './boot-volumes.js';
import { createPort, refuseReserved } from './create-port.js';
import type { Creation } from './creation.js';

/**
 * Creates the rows of an instance, locked, and the task that makes them active. Returns the id of the
 * task.
 */
export function createInstance(world: World, body: SentInstanceBody, mutation: Mutation): string {
  checkExisting(world, body, mutation);
  const ports = body.interfaces.map((item) => createPort(world, mutation, item));
  const creation: Creation = {
    body,
    mutation,
    taskId: newId(),
    instanceId: newId(),
    name: instanceName(world, body, ports),
    ports,
  };
  insertInstance(world, creation);
  const volumes = body.volumes.map((volume, index) => {
    const device = deviceAt(index);
    const id =
      volume.source === 'existing-volume'
        ? attachVolume(world, creation, { volume, device })
        : insertVolume(world, creation, { volume, index, device });
    return { id, deleteOnTermination: volume.delete_on_termination ?? false };
  });
  world.instances.update(creation.instanceId, { volumes });
  const existingVolumeIds = existingVolumes(body).map(({ volume_id: id }) => id);
  return startTask(world, mutation, {
    id: creation.taskId,
    data: { ...toTaskData(creation), ...(world.echoTags && { tags: body.tags ?? {} }) },
    plan: {
      kind: world.createTask,
      instanceId: creation.instanceId,
      volumeIds: volumes.map(({ id }) => id).filter((id) => !existingVolumeIds.includes(id)),
      existingVolumeIds,
      floatingIpIds: insertFloatingIps(world, creation),
      existingFloatingIpIds: attachFloatingIps(world, creation),
      reservedIpIds: takeReservedIps(world, creation),
    },
  });
}

function existingVolumes(body: SentInstanceBody): ExistingVolumeBody[] {
  return body.volumes.flatMap((item) => (item.source === 'existing-volume' ? [item] : []));
}

/** Whether the body takes something that only one instance can have. */
export function takesExisting(body: SentInstanceBody): boolean {
  const isTaken = (item: Interface): boolean =>
    item.type === 'reserved_fixed_ip' || existingFloatingId(item) !== undefined;
  return existingVolumes(body).length > 0 || body.interfaces.some(isTaken);
}

/** Runs before the first write, so that a refused call leaves nothing behind. */
function checkExisting(world: World, body: SentInstanceBody, mutation: Mutation): void {
  if (body.servergroup_id !== undefined) {
    const wanted = { kind: 'Placement group', id: body.servergroup_id };
    findInScope(world.placementGroups, mutation, wanted);
  }
  for (const { volume_id: id } of existingVolumes(body)) {
    const volume = findInScope(world.volumes, mutation, { kind: 'Volume', id });
    if (volume.taskId !== null || volume.status !== 'available') {
      throw conflictError(`Volume ${id} is not available`);
    }
  }
  for (const item of body.interfaces) {
    if (item.type === 'reserved_fixed_ip') refuseReserved(world, mutation, item.port_id);
    const id = existingFloatingId(item);
    if (id === undefined) continue;
    const floatingIp = findInScope(world.floatingIps, mutation, { kind: 'Floating IP', id });
    if (floatingIp.taskId !== null || floatingIp.portId !== null) {
      throw conflictError(`Floating IP ${id} is not available`);
    }
  }
}

type Interface = SentInstanceBody['interfaces'][number];

function existingFloatingId(item: Interface): string | undefined {
  if (item.type === 'external' || item.floating_ip?.source !== 'existing') return undefined;
  return item.floating_ip.existing_floating_id;
}

function instanceName(world: World, body: SentInstanceBody, ports: readonly Port[]): string {
  if (body.name !== undefined) return body.name;
  if (body.name_template === undefined) return `instance-${world.nextNumber()}`;
  const octets = (ports[0]?.addresses[0]?.ip ?? '').split(/[.:]+/);
  return body.name_template
    .replaceAll('{ip_octets}', octets.slice(-3).join('-'))
    .replaceAll('{two_ip_octets}', octets.slice(-2).join('-'))
    .replaceAll('{one_ip_octet}', octets.slice(-1).join('-'));
}

function insertInstance(world: World, creation: Creation): void {
  const { body } = creation;
  world.instances.insert({
    ...newRow(world, creation.mutation, creation.taskId),
    id: creation.instanceId,
    name: creation.name,
    status: 'BUILD',
    flavorId: body.flavor,
    sshKeyName: body.ssh_key_name ?? null,
    placementGroupId: body.servergroup_id ?? null,
    securityGroups: (body.security_groups ?? [{ id: 'default' }]).map((group) => group.id),
    ports: creation.ports,
    volumes: [],
    tags: body.tags ?? {},
  });
}

function insertFloatingIps(world: World, creation: Creation): string[] {
  return creation.body.interfaces.flatMap((item, index) => {
    if (item.type === 'external' || item.floating_ip?.source !== 'new') return [];
    const row = {
      ...newRow(world, creation.mutation, creation.taskId),
      tags: {},
      address: nextFloatingAddress(world),
      instanceId: creation.instanceId,
      ...toAttachment(creation.ports[index]),
    };
    world.floatingIps.insert(row);
    return [row.id];
  });
}

function attachFloatingIps(world: World, creation: Creation): string[] {
  const { taskId, instanceId } = creation;
  return creation.body.interfaces.flatMap((item, index) => {
    const id = existingFloatingId(item);
    if (id === undefined) return [];
    const attachment = toAttachment(creation.ports[index]);
    world.floatingIps.update(id, { taskId, instanceId, ...attachment });
    return [id];
  });
}

function toAttachment(port: Port | undefined) {
  return { portId: port?.portId ?? null, fixedIpAddress: port?.addresses[0]?.ip ?? null };
}

function takeReservedIps(world: World, { body, taskId, instanceId }: Creation): string[] {
  return body.interfaces.flatMap((item) => {
    if (item.type !== 'reserved_fixed_ip') return [];
    moveReservedIp(world, item.port_id, { taskId, instanceId });
    return [item.port_id];
  });
}

/** The real API echoes the request with its passwords. It does not document whether it echoes tags. */
function toTaskData({ body, name }: Creation): Record<string, unknown> {
  return {
    name,
    flavor_name: body.flavor,
    keypair_name: body.ssh_key_name ?? null,
    username: body.username ?? null,
    password: body.password ?? null,
    user_data: body.user_data ?? null,
    security_groups: body.security_groups ?? [],
    network_config: body.interfaces,
    reservation_id: null,
    block_device_config: body.volumes.map((volume) => ({ ...volume, tags: undefined })),
  };
}
