import { groupNamesOf } from '../changes/security-group-members.js';
import { findFlavor } from '../state/catalog.js';
import type { Port } from '../state/cloud-entities.js';
import { findNetwork } from './find-network.js';
import { findProfile } from '../state/relations.js';
import type { InstanceEntity } from '../state/rows.js';
import type { World } from '../state/world.js';
import { formatDdosProfile } from './formatters.js';
import { formatOwner, formatTags } from './wire-parts.js';

/** The wire form of an instance: every documented field, under the API's names. */
export type InstanceObject = ReturnType<typeof formatInstance>;

/** What an answer shows of an instance: lists show less, unless they are asked for more. */
interface View {
  ddosProfile: boolean;
  interfaceNames: boolean;
  subnets: boolean;
}

const WHOLE: View = { ddosProfile: true, interfaceNames: true, subnets: true };
const LISTED: View = { ddosProfile: false, interfaceNames: false, subnets: false };

const VM_STATE = {
  BUILD: 'building',
  ACTIVE: 'active',
  ERROR: 'error',
  SHUTOFF: 'stopped',
  REBOOT: 'active',
  HARD_REBOOT: 'active',
  RESIZE: 'active',
  SUSPENDED: 'suspended',
} as const;

/** The names of OpenStack. */
const TASK_STATE: Readonly<Record<string, string>> = {
  create_vm: 'spawning',
  create_basic_vm: 'spawning',
  delete_vm: 'deleting',
  resize_vm: 'resize_prep',
  start_vm: 'powering-on',
  stop_vm: 'powering-off',
  soft_reboot_vm: 'rebooting',
  hard_reboot_vm: 'rebooting_hard',
  suspend_vm: 'suspending',
  resume_vm: 'resuming',
};

/** As the GET of one instance shows it. */
export function formatInstance(world: World, row: Readonly<InstanceEntity>) {
  return formatView(world, row, WHOLE);
}

/** As lists show it. */
export function formatListedInstance(
  world: World,
  row: Readonly<InstanceEntity>,
  asked: Partial<View> = {},
) {
  return formatView(world, row, { ...LISTED, ...asked });
}

function formatView(world: World, row: Readonly<InstanceEntity>, view: View) {
  const isStale = (row.stale?.until ?? 0) > world.now();
  const instance = isStale ? { ...row, ...row.stale } : row;
  const isBuilding = instance.status === 'BUILD';
  const task = instance.taskId === null ? undefined : world.tasks.get(instance.taskId);
  return {
    ...formatOwner(instance),
    name: instance.name,
    status: instance.status,
    vm_state: VM_STATE[instance.status],
    task_state: task === undefined ? null : (TASK_STATE[task.plan.kind] ?? null),
    flavor: formatFlavor(instance.flavorId),
    // The API shows no addresses before the instance is active.
    addresses: isBuilding ? {} : formatAddresses(world, instance, view),
    volumes: instance.volumes.map((volume) => ({
      id: volume.id,
      delete_on_termination: volume.deleteOnTermination,
    })),
    tags: formatTags(instance.tags),
    security_groups: groupNamesOf(world, instance).map((name) => ({ name })),
    ssh_key_name: instance.sshKeyName,
    fixed_ip_assignments: isBuilding ? [] : formatAssignments(world, instance),
    ddos_profile: view.ddosProfile ? formatProfileOf(world, instance) : null,
    blackhole_ports: [],
    instance_description: null,
    instance_isolation: null,
  };
}

function formatFlavor(id: string) {
  const { vcpus, ram, architecture, os_type } = findFlavor(id) ?? {
    vcpus: 0,
    ram: 0,
    architecture: 'x86_64',
    os_type: 'linux',
  };
  return {
    flavor_id: id,
    flavor_name: id,
    vcpus,
    ram,
    architecture,
    os_type,
    hardware_description: { vcpus: `${vcpus} vCPU`, ram: `${ram / 1024} GiB` },
  };
}

function formatAssignments(world: World, instance: Readonly<InstanceEntity>) {
  return instance.ports.flatMap(({ networkId, addresses }) => {
    const external = findNetwork(world, instance, networkId)?.external ?? false;
    return addresses.map(({ ip, subnetId }) => ({
      external,
      ip_address: ip,
      subnet_id: subnetId,
    }));
  });
}

function formatProfileOf(world: World, instance: Readonly<InstanceEntity>) {
  const profile = findProfile(world, instance);
  return profile === undefined ? null : formatDdosProfile(profile, profile);
}

type AddressObject =
  | { addr: string; type: 'floating' }
  | {
      addr: string;
      type: 'fixed';
      interface_name: string | null;
      subnet_id?: string;
      subnet_name?: string;
    };

function formatAddresses(world: World, instance: Readonly<InstanceEntity>, view: View) {
  const floatingIps = world.floatingIps.filter((row) => row.instanceId === instance.id);
  const networks: Record<string, AddressObject[]> = {};
  for (const port of instance.ports) {
    const name = findNetwork(world, instance, port.networkId)?.name ?? port.networkId;
    const entries = (networks[name] ??= []);
    entries.push(...formatFixed(world, instance, { port, view }));
    for (const { portId, address } of floatingIps) {
      if (portId === port.portId) entries.push({ addr: address, type: 'floating' });
    }
  }
  return networks;
}

function formatFixed(
  world: World,
  instance: Readonly<InstanceEntity>,
  { port, view }: { port: Port; view: View },
): AddressObject[] {
  const subnets = findNetwork(world, instance, port.networkId)?.subnets ?? [];
  return port.addresses.map(({ ip, subnetId }) => ({
    addr: ip,
    type: 'fixed' as const,
    interface_name: view.interfaceNames ? port.interfaceName : null,
    ...(view.subnets && {
      subnet_id: subnetId,
      subnet_name: subnets.find(({ id }) => id === subnetId)?.name ?? '',
    }),
  }));
}
