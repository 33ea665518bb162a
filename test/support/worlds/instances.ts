import { MAKER_TAG, MARKER_TAG } from '../../../src/contract/wire/names.js';
import {
  createSimulator,
  type Simulator,
  type SimulatorState,
} from '../../../src/simulator/index.js';

const START = Date.parse('2026-01-01T00:00:00Z');
const SCOPE = { projectId: 1, regionId: 1, createdAt: START, listedAt: START };
const LOCKABLE = { ...SCOPE, creatorTaskId: null, taskId: null };

export interface SeededInstance {
  /** Its number: each of its ids is made of it. */
  of: number;
  /** Value of the tag of the run that made it. */
  marker?: string;
  /** Value of the tag of the one run that made it, and its status. */
  maker?: string;
  status?: 'ACTIVE' | 'ERROR' | 'SHUTOFF';
  /** Whether the boot volume goes with the instance. */
  deleteOnTermination?: boolean;
  taskId?: string;
  /** Of the data volume; default `in-use`. */
  dataVolume?: 'in-use' | 'available';
  /** Whether the floating IP leads to nothing; by default it leads to the instance. */
  floatingIp?: 'apart';
}

const idOf = (kind: number, of: number): string =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(of).padStart(12, '0')}`;

export const instanceIdOf = (of: number): string => idOf(1, of);
export const bootVolumeOf = (of: number): string => idOf(2, of);
export const dataVolumeOf = (of: number): string => idOf(3, of);
/** Of the data volume. */
export const snapshotOf = (of: number): string => idOf(6, of);
export const floatingIpOf = (of: number): string => idOf(4, of);
export const portOf = (of: number): string => idOf(5, of);

/** Ids of an instance and of all that is attached to it. */
export function idsOf(of: number): string[] {
  return [instanceIdOf(of), bootVolumeOf(of), dataVolumeOf(of), floatingIpOf(of)];
}

/** Ids of what exists of these instances, in one order. */
export function existingIdsOf(simulator: Pick<Simulator, 'inventory'>, of: number): string[] {
  const { instances, volumes, floatingIps } = simulator.inventory();
  return [...instances, ...volumes, ...floatingIps]
    .map(({ id }) => id)
    .filter((id) => idsOf(of).includes(id))
    .sort();
}

/** A cloud with these instances, each with a boot volume, a data volume and a floating IP. */
export function stateWithInstances(seeded: readonly SeededInstance[]): SimulatorState {
  return { ...createSimulator().snapshot(), ...partsOfInstances(seeded) };
}

/** The same, as a part of a state. */
export function partsOfInstances(seeded: readonly SeededInstance[]) {
  return {
    instances: seeded.map(
      ({ of, deleteOnTermination = false, taskId = null, dataVolume, ...rest }) => ({
        ...LOCKABLE,
        id: instanceIdOf(of),
        name: `web-${of}`,
        status: rest.status ?? ('ACTIVE' as const),
        flavorId: 'g2-standard-2-4',
        sshKeyName: null,
        securityGroups: [],
        taskId,
        tags: tagsOf(rest),
        ports: [portAt(of)],
        volumes: [
          { id: bootVolumeOf(of), deleteOnTermination },
          ...(dataVolume === 'available'
            ? []
            : [{ id: dataVolumeOf(of), deleteOnTermination: false }]),
        ],
      }),
    ),
    volumes: seeded.flatMap(({ of, dataVolume = 'in-use' as const, ...rest }) =>
      [bootVolumeOf(of), dataVolumeOf(of)].map((id) => {
        const isRootVolume = id === bootVolumeOf(of);
        const status = isRootVolume ? 'in-use' : dataVolume;
        return {
          ...LOCKABLE,
          id,
          tags: tagsOf(rest),
          status,
          size: 20,
          name: `${isRootVolume ? 'boot' : 'data'}-${of}`,
          volumeType: 'standard',
          isRootVolume,
          instanceId: status === 'in-use' ? instanceIdOf(of) : null,
        };
      }),
    ),
    floatingIps: seeded.map(({ of, floatingIp }) => ({
      ...LOCKABLE,
      id: floatingIpOf(of),
      tags: {},
      address: `203.0.${addressOf(of)}`,
      portId: floatingIp === 'apart' ? null : portOf(of),
      fixedIpAddress: floatingIp === 'apart' ? null : `10.0.${addressOf(of)}`,
      instanceId: floatingIp === 'apart' ? null : instanceIdOf(of),
    })),
  } satisfies Partial<SimulatorState>;
}

/** A snapshot of the data volume of each of these instances, as a part of a state. */
export function snapshotsOf(seeded: readonly SeededInstance[]) {
  return {
    snapshots: seeded.map(({ of }) => ({
      ...LOCKABLE,
      id: snapshotOf(of),
      tags: {},
      name: `before-${of}`,
      description: null,
      status: 'available' as const,
      size: 20,
      volumeType: 'standard',
      bootable: false,
      volumeId: dataVolumeOf(of),
    })),
  } satisfies Partial<SimulatorState>;
}

/** In the stock network `private`. */
function portAt(of: number) {
  const subnetId = '1d0c7b4a-5e5f-4b0a-8b1f-3f2e1d0c9b8a';
  return {
    portId: portOf(of),
    networkId: '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa',
    interfaceName: null,
    addresses: [{ ip: `10.0.${addressOf(of)}`, subnetId }],
    portSecurityEnabled: true,
  };
}

function addressOf(of: number): string {
  return `${Math.floor(of / 250)}.${(of % 250) + 1}`;
}

function tagsOf({
  marker,
  maker,
}: Pick<SeededInstance, 'marker' | 'maker'>): Record<string, string> {
  return {
    ...(marker !== undefined && { [MARKER_TAG]: marker }),
    ...(maker !== undefined && { [MAKER_TAG]: maker }),
  };
}
