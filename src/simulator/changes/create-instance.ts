import type { SentInstanceBody } from '../../contract/api/create-instance-body.js';
import { conflictError } from '../http/cloud-error.js';
import { createPort, nextFloatingAddress } from './create-port.js';
import { findInScope } from '../http/scope.js';
import type { Port } from '../state/cloud-entities.js';
import type { VolumeEntity } from '../state/rows.js';
import { listedAt, type Mutation, newId, startTask } from '../state/start-task.js';
import type { World } from '../state/world.js';

type VolumeBody = SentInstanceBody['volumes'][number];
type NewVolumeBody = Exclude<VolumeBody, { source: 'existing-volume' }>;

/** One create call: its parsed body, and the ids that its rows share. */
interface Creation {
  body: SentInstanceBody;
  mutation: Mutation;
  taskId: string;
  instanceId: string;
  name: string;
  ports: Port[];
}

const DEFAULT_SIZE_GIB = 10;

/**
 * Creates the rows of an instance, locked, and the task that makes them active. Returns the id of the
 * task.
 */
export function createInstance(world: World, body: SentInstanceBody, mutation: Mutation): string {
  const existingVolumeIds = body.volumes.flatMap((item) =>
    item.source === 'existing-volume' ? [item.volume_id] : [],
  );
  checkExisting(world, { body, mutation, volumeIds: existingVolumeIds });
  const ports = body.interfaces.map((item) => createPort(world, item));
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
    const id =
      volume.source === 'existing-volume'
        ? attachVolume(world, creation, volume)
        : insertVolume(world, creation, { volume, index });
    return { id, deleteOnTermination: volume.delete_on_termination ?? false };
  });
  world.instances.update(creation.instanceId, { volumes });
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
    },
  });
}

/** Runs before the first write, so that a refused call leaves nothing behind. */
function checkExisting(
  world: World,
  {
    body,
    mutation,
    volumeIds,
  }: { body: SentInstanceBody; mutation: Mutation; volumeIds: readonly string[] },
): void {
  if (body.servergroup_id !== undefined) {
    const wanted = { kind: 'Placement group', id: body.servergroup_id };
    findInScope(world.placementGroups, mutation, wanted);
  }
  for (const id of volumeIds) {
    const volume = findInScope(world.volumes, mutation, { kind: 'Volume', id });
    if (volume.taskId !== null || volume.status !== 'available') {
      throw conflictError(`Volume ${id} is not available`);
    }
  }
  for (const item of body.interfaces) {
    const id = existingFloatingId(item);
    if (id === undefined) continue;
    const floatingIp = findInScope(world.floatingIps, mutation, { kind: 'Floating IP', id });
    if (floatingIp.taskId !== null || floatingIp.portId !== null) {
      throw conflictError(`Floating IP ${id} is not available`);
    }
  }
}

function existingFloatingId(item: SentInstanceBody['interfaces'][number]): string | undefined {
  if (item.type === 'external' || item.floating_ip?.source !== 'existing') return undefined;
  return item.floating_ip.existing_floating_id;
}

function instanceName(world: World, body: SentInstanceBody, ports: readonly Port[]): string {
  if (body.name !== undefined) return body.name;
  if (body.name_template === undefined) return `instance-${world.nextNumber()}`;
  const octets = (ports[0]?.addresses[0] ?? '').split(/[.:]+/);
  return body.name_template
    .replaceAll('{ip_octets}', octets.slice(-3).join('-'))
    .replaceAll('{two_ip_octets}', octets.slice(-2).join('-'))
    .replaceAll('{one_ip_octet}', octets.slice(-1).join('-'));
}

/** Fields that all rows of one create call share. */
function commonRow(world: World, { mutation, taskId }: Creation) {
  return {
    id: newId(),
    projectId: mutation.projectId,
    regionId: mutation.regionId,
    createdAt: world.now(),
    listedAt: listedAt(world, mutation),
    creatorTaskId: taskId,
    taskId,
    tags: {},
  };
}

function insertInstance(world: World, creation: Creation): void {
  const { body } = creation;
  world.instances.insert({
    ...commonRow(world, creation),
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

function insertVolume(
  world: World,
  creation: Creation,
  { volume, index }: { volume: NewVolumeBody; index: number },
): string {
  const row: VolumeEntity = {
    ...commonRow(world, creation),
    name: volume.name ?? `${creation.name}_volume_${index}`,
    status: 'creating',
    size: volume.size ?? DEFAULT_SIZE_GIB,
    volumeType: volume.type_name ?? 'standard',
    isRootVolume: volume.source !== 'new-volume' && volume.boot_index === 0,
    instanceId: creation.instanceId,
    tags: volume.tags ?? {},
  };
  world.volumes.insert(row);
  return row.id;
}

/** Adds the tags of the body to the tags of the volume. So a tag does not prove who created the volume. */
function attachVolume(
  world: World,
  creation: Creation,
  body: Extract<VolumeBody, { source: 'existing-volume' }>,
): string {
  const { taskId, instanceId } = creation;
  const tags = { ...world.volumes.get(body.volume_id)?.tags, ...body.tags };
  world.volumes.update(body.volume_id, { taskId, instanceId, tags });
  return body.volume_id;
}

function insertFloatingIps(world: World, creation: Creation): string[] {
  return creation.body.interfaces.flatMap((item, index) => {
    if (item.type === 'external' || item.floating_ip?.source !== 'new') return [];
    const row = {
      ...commonRow(world, creation),
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
  return { portId: port?.portId ?? null, fixedIpAddress: port?.addresses[0] ?? null };
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
