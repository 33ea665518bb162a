import { EXTERNAL_NETWORK_ID } from '../../../src/simulator/state/catalog.js';
import { inPlace, plain, type Act, type Place, type Scene } from './scene.js';

function pathOf(version: string, collection: string, row: Place & { id: string }): string {
  return `${inPlace(version, collection, row)}/${row.id}`;
}

const deleteInstance: Act = ({ choose, state, draw }) => {
  const row = choose(state.instances);
  if (row === undefined) return undefined;
  const volumes = row.volumes.map(({ id }) => id);
  const withVolumes = volumes.length === 0 ? '' : `?volumes=${volumes.join(',')}`;
  const query = draw.pick(['', '?delete_floatings=true', withVolumes]);
  const path = pathOf('v1', 'instances', row) + query;
  return { says: `deletes the instance ${row.name}`, method: 'DELETE', path, body: undefined };
};

const deleteVolume: Act = ({ choose, state }) => {
  const row = choose(state.volumes.filter(({ instanceId }) => instanceId === null));
  return (
    row && {
      says: `deletes the volume ${row.name}`,
      method: 'DELETE',
      path: pathOf('v1', 'volumes', row),
      body: undefined,
    }
  );
};

const deleteSnapshot: Act = ({ choose, state }) => {
  const row = choose(state.snapshots);
  return (
    row && {
      says: `deletes the snapshot ${row.name}`,
      method: 'DELETE',
      path: pathOf('v1', 'snapshots', row),
      body: undefined,
    }
  );
};

const deleteFloatingIp: Act = ({ choose, state }) => {
  const row = choose(state.floatingIps);
  return (
    row && {
      says: `deletes the floating IP ${row.address}`,
      method: 'DELETE',
      path: pathOf('v1', 'floatingips', row),
      body: undefined,
    }
  );
};

const deleteProfile: Act = ({ choose, state }) => {
  const row = choose(state.ddosProfiles);
  return (
    row && {
      says: `deletes the DDoS profile of ${row.address}`,
      method: 'DELETE',
      path: pathOf('v1', 'ddos/profiles', row),
      body: undefined,
    }
  );
};

const renameInstance: Act = ({ choose, state, name }) => {
  const row = choose(state.instances);
  return (
    row && {
      says: `renames the instance ${row.name}`,
      method: 'PATCH',
      path: pathOf('v1', 'instances', row),
      body: { name: plain(name(state.instances)) },
    }
  );
};

const renameVolume: Act = ({ choose, state, name }) => {
  const row = choose(state.volumes);
  return (
    row && {
      says: `renames the volume ${row.name}`,
      method: 'PATCH',
      path: pathOf('v1', 'volumes', row),
      body: { name: plain(name(state.volumes)) },
    }
  );
};

function isInSamePlace(one: Place) {
  return (other: Place): boolean =>
    one.projectId === other.projectId && one.regionId === other.regionId;
}

const attachVolume: Act = ({ choose, state }) => {
  const volume = choose(state.volumes.filter(({ status }) => status === 'available'));
  const instance = volume && choose(state.instances.filter(isInSamePlace(volume)));
  return (
    instance && {
      says: `attaches the volume ${volume.name} to ${instance.name}`,
      method: 'POST',
      path: `${pathOf('v2', 'volumes', volume)}/attach`,
      body: { instance_id: instance.id },
    }
  );
};

const detachVolume: Act = ({ choose, state }) => {
  const attached = state.volumes.filter((row) => row.instanceId !== null && !row.isRootVolume);
  const volume = choose(attached);
  return (
    volume && {
      says: `detaches the volume ${volume.name}`,
      method: 'POST',
      path: `${pathOf('v2', 'volumes', volume)}/detach`,
      body: { instance_id: volume.instanceId },
    }
  );
};

/** Ports that a floating IP can lead to: those that have none, and no public address of their own. */
function freePorts({ state }: Scene, place: Place): string[] {
  const taken = state.floatingIps.map(({ portId }) => portId);
  const ports = state.instances.filter(isInSamePlace(place)).flatMap((row) => row.ports);
  return ports
    .filter((port) => port.networkId !== EXTERNAL_NETWORK_ID && !taken.includes(port.portId))
    .map(({ portId }) => portId);
}

const moveFloatingIp: Act = (scene) => {
  const row = scene.choose(scene.state.floatingIps);
  const ports = row === undefined ? [] : freePorts(scene, row);
  if (row === undefined || (ports.length === 0 && row.portId === null)) return undefined;
  const isMove = ports.length > 0 && (row.portId === null || scene.draw.chance(0.7));
  return {
    says: `${isMove ? 'moves' : 'takes off'} the floating IP ${row.address}`,
    method: 'PATCH',
    path: pathOf('v2', 'floatingips', row),
    body: { port_id: isMove ? scene.draw.pick(ports) : null },
  };
};

const POWER = { ACTIVE: ['stop', 'reboot', 'reboot_hard'], SHUTOFF: ['start'] } as const;

const changePower: Act = ({ choose, state, draw }) => {
  const row = choose(state.instances);
  if (row?.status !== 'ACTIVE' && row?.status !== 'SHUTOFF') return undefined;
  const action = draw.pick<string>(POWER[row.status]);
  return {
    says: `${action} of the instance ${row.name}`,
    method: 'POST',
    path: `${pathOf('v2', 'instances', row)}/action`,
    body: { action },
  };
};

const createVolume: Act = ({ state, name, place }) => {
  const called = plain(name(state.volumes));
  return {
    says: `makes a volume called ${called}`,
    method: 'POST',
    path: inPlace('v1', 'volumes', place()),
    body: { source: 'new-volume', name: called, size: 1 },
  };
};

const createSnapshot: Act = ({ choose, state, name }) => {
  const volume = choose(state.volumes);
  const called = plain(name(state.snapshots));
  return (
    volume && {
      says: `takes a snapshot called ${called}`,
      method: 'POST',
      path: inPlace('v1', 'snapshots', volume),
      body: { name: called, volume_id: volume.id },
    }
  );
};

/** Of the stock of every simulator. */
const IMAGE = 'f01fd9a0-9548-48ba-82dc-a8c8b2d6f2f1';

const createInstance: Act = ({ state, name, place }) => {
  const called = plain(name(state.instances));
  return {
    says: `makes an instance called ${called}`,
    method: 'POST',
    path: inPlace('v2', 'instances', place()),
    body: {
      flavor: 'g2-standard-2-4',
      name: called,
      interfaces: [{ type: 'external' }],
      volumes: [{ source: 'image', image_id: IMAGE, size: 20, boot_index: 0 }],
    },
  };
};

/** The template needs no fields. */
const TEMPLATE = 13;

const createProfile: Act = ({ address, place }) => {
  const protectedAddress = address();
  return protectedAddress === undefined
    ? undefined
    : {
        says: `makes a DDoS profile for ${protectedAddress}`,
        method: 'POST',
        path: inPlace('v1', 'ddos/profiles', place()),
        body: { ip_address: protectedAddress, profile_template: TEMPLATE, fields: [] },
      };
};

/** What others do with machines, volumes and addresses. */
export const CLOUD_ACTIONS: readonly Act[] = [
  deleteInstance,
  deleteVolume,
  deleteSnapshot,
  deleteFloatingIp,
  deleteProfile,
  renameInstance,
  renameVolume,
  attachVolume,
  detachVolume,
  moveFloatingIp,
  changePower,
  createVolume,
  createSnapshot,
  createInstance,
  createProfile,
];
