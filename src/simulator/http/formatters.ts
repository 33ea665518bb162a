import { groupNamesOf } from '../changes/security-group-members.js';
import { findFlavor, findProfileTemplate, findRegion } from '../state/catalog.js';
import type { ProfileView } from '../state/ddos-entities.js';
import type {
  CloudSshKeyEntity,
  DdosProfileEntity,
  FloatingIpEntity,
  InstanceEntity,
  SftpStorageEntity,
  SshKeyEntity,
  VolumeEntity,
} from '../state/rows.js';
import { fingerprintOf } from '../state/ssh-key-pair.js';
import { storageStatus } from '../state/sftp-storages.js';
import type { World } from '../state/world.js';

/** Wire forms of the cloud and storage areas: every documented field, under the API's names. */
export type InstanceObject = ReturnType<typeof formatInstance>;
export type VolumeObject = ReturnType<typeof formatVolume>;
export type FloatingIpObject = ReturnType<typeof formatFloatingIp>;
export type DdosProfileObject = ReturnType<typeof formatDdosProfile>;
export type SshKeyObject = ReturnType<typeof formatSshKey>;
export type SftpStorageObject = ReturnType<typeof formatSftpStorage>;
export type CloudSshKeyObject = ReturnType<typeof formatCloudSshKey>;

const VM_STATE = {
  BUILD: 'building',
  ACTIVE: 'active',
  ERROR: 'error',
  SHUTOFF: 'stopped',
  REBOOT: 'active',
  HARD_REBOOT: 'active',
  RESIZE: 'active',
} as const;

export function formatInstance(world: World, row: Readonly<InstanceEntity>) {
  const isStale = (row.stale?.until ?? 0) > world.now();
  const instance = isStale ? { ...row, ...row.stale } : row;
  const isBuilding = instance.status === 'BUILD';
  return {
    ...formatOwner(instance),
    name: instance.name,
    status: instance.status,
    vm_state: VM_STATE[instance.status],
    task_state: isBuilding ? 'spawning' : instance.taskId === null ? null : 'deleting',
    flavor: formatFlavorOf(instance),
    // The API shows no addresses before the instance is active.
    addresses: isBuilding ? {} : formatAddresses(world, instance),
    volumes: instance.volumes.map((volume) => ({
      id: volume.id,
      delete_on_termination: volume.deleteOnTermination,
    })),
    tags: formatTags(instance.tags),
    security_groups: groupNamesOf(world, instance).map((name) => ({ name })),
    ssh_key_name: instance.sshKeyName,
    fixed_ip_assignments: null,
    ddos_profile: formatProfileOf(world, instance),
    blackhole_ports: [],
    instance_description: null,
    instance_isolation: null,
  };
}

const NO_FLAVOR = {
  vcpus: 0,
  ram: 0,
  architecture: '',
  os_type: '',
  hardware_description: { vcpus: '', ram: '' },
};

function formatFlavorOf({ flavorId }: Readonly<InstanceEntity>) {
  const flavor = findFlavor(flavorId) ?? NO_FLAVOR;
  return {
    flavor_id: flavorId,
    flavor_name: flavorId,
    vcpus: flavor.vcpus,
    ram: flavor.ram,
    architecture: flavor.architecture,
    os_type: flavor.os_type,
    hardware_description: flavor.hardware_description,
  };
}

/** The DDoS profile of one of the addresses of the instance. */
function formatProfileOf(world: World, instance: Readonly<InstanceEntity>) {
  const addresses = Object.values(formatAddresses(world, instance)).flat();
  const [profile] = world.ddosProfiles.filter((row) =>
    addresses.some(({ addr }) => addr === row.address),
  );
  return profile === undefined ? null : formatDdosProfile(profile, profile);
}

function formatAddresses(world: World, instance: Readonly<InstanceEntity>) {
  const floatingIps = world.floatingIps.filter((row) => row.instanceId === instance.id);
  const networks: Record<string, { addr: string; type: 'fixed' | 'floating' }[]> = {};
  for (const port of instance.ports) {
    const entries = (networks[port.network] ??= []);
    entries.push(...port.addresses.map((addr) => ({ addr, type: 'fixed' as const })));
    for (const { portId, address } of floatingIps) {
      if (portId === port.portId) entries.push({ addr: address, type: 'floating' });
    }
  }
  return networks;
}

export function formatVolume(world: World, volume: Readonly<VolumeEntity>) {
  const attachment = volume.instanceId !== null && {
    server_id: volume.instanceId,
    volume_id: volume.id,
    attachment_id: volume.id,
    instance_name: world.instances.get(volume.instanceId)?.name ?? null,
  };
  return {
    ...formatOwner(volume),
    name: volume.name,
    status: volume.status,
    size: volume.size,
    volume_type: volume.volumeType,
    bootable: volume.isRootVolume,
    is_root_volume: volume.isRootVolume,
    attachments: attachment && volume.status !== 'creating' ? [attachment] : [],
    tags: formatTags(volume.tags),
    snapshot_ids: [],
  };
}

export function formatFloatingIp(world: World, floatingIp: Readonly<FloatingIpEntity>) {
  const { instanceId } = floatingIp;
  const instance = instanceId === null ? undefined : world.instances.get(instanceId);
  return {
    ...formatOwner(floatingIp),
    floating_ip_address: floatingIp.address,
    fixed_ip_address: floatingIp.fixedIpAddress,
    port_id: floatingIp.portId,
    instance: instance === undefined ? null : formatInstance(world, instance),
    loadbalancer: null,
    router_id: null,
    status: floatingIp.portId === null ? 'DOWN' : 'ACTIVE',
    tags: formatTags(floatingIp.tags),
  };
}

export function formatSshKey({ id, name, publicKey, createdAt }: Readonly<SshKeyEntity>) {
  return {
    id: Number(id),
    name,
    public_key: publicKey,
    created_at: toUtc(createdAt),
  };
}

export function formatSftpStorage(world: World, storage: Readonly<SftpStorageEntity>) {
  const { id, name, locationName, sshKeyIds, createdAt } = storage;
  const fullName = `1-${name}`;
  return {
    id: Number(id),
    name,
    full_name: fullName,
    location_name: locationName,
    address: `${fullName}.${locationName}.storage.example`,
    provisioning_status: storageStatus(world, storage),
    ssh_key_ids: sshKeyIds,
    has_password: storage.hasPassword,
    created_at: toUtc(createdAt),
    expires: storage.expires,
    server_alias: storage.serverAlias,
    is_http_disabled: storage.isHttpDisabled,
    has_custom_config_file: storage.hasCustomConfigFile,
  };
}

export function formatCloudSshKey(key: Readonly<CloudSshKeyEntity>) {
  const { id, name, projectId, publicKey, sharedInProject, createdAt } = key;
  return {
    id,
    name,
    project_id: projectId,
    public_key: publicKey,
    fingerprint: fingerprintOf(publicKey) ?? '',
    shared_in_project: sharedInProject,
    created_at: toUtc(createdAt),
    state: 'ACTIVE' as const,
  };
}

/** Makes ids of fields that no two profiles share. */
const FIELDS_PER_PROFILE = 1_000;

/** @param view the state to show: lists may lag behind. */
export function formatDdosProfile(profile: Readonly<DdosProfileEntity>, view: ProfileView) {
  const template = findProfileTemplate(view.templateId);
  return {
    id: Number(profile.id),
    ip_address: profile.address,
    profile_template: template ?? null,
    profile_template_description: template?.description ?? null,
    fields: view.fields.map((field) => formatProfileField(profile, template, field)),
    options: { active: view.active, bgp: view.bgp },
    protocols: null,
    site: 'ED',
    status: view.status,
    managed_by: profile.managedBy,
  };
}

/** A field that is set. Its id is not that of the field of the template. */
function formatProfileField(
  { id: profileId }: Readonly<DdosProfileEntity>,
  template: ReturnType<typeof findProfileTemplate>,
  { base_field, field_value, value }: ProfileView['fields'][number],
) {
  const definition = template?.fields.find(({ id }) => id === base_field);
  return {
    ...definition,
    id: Number(profileId) * FIELDS_PER_PROFILE + base_field,
    base_field,
    field_value,
    ...(value !== undefined && { value }),
  };
}

type OwnedRow = Omit<
  FloatingIpEntity,
  'address' | 'portId' | 'fixedIpAddress' | 'instanceId' | 'tags'
>;

export function formatOwner(row: Readonly<OwnedRow>) {
  return {
    id: row.id,
    created_at: toUtc(row.createdAt),
    creator_task_id: row.creatorTaskId,
    task_id: row.taskId,
    project_id: row.projectId,
    region_id: row.regionId,
    region: findRegion(row.regionId)?.display_name ?? '',
  };
}

/** Tags are a map in the request but a list in the answer. */
export function formatTags(tags: Record<string, string>) {
  return Object.entries(tags).map(([key, value]) => ({ key, value, read_only: false }));
}

/** Whole seconds without a zone, such as `2026-05-23T05:07:31`. */
export function toZoneless(time: number): string {
  return new Date(time).toISOString().slice(0, 19);
}

/** Such as `2026-05-23T05:07:31Z`. */
export function toUtc(time: number): string {
  return `${toZoneless(time)}Z`;
}
