import { type Collection, createCollection } from './collection.js';
import {
  type CloudSshKeyEntity,
  emptyState,
  type FloatingIpEntity,
  type InstanceEntity,
  type SftpStorageEntity,
  type SimulatorState,
  type SshKeyEntity,
  type TaskEntity,
  type VolumeEntity,
} from './simulator-state.js';

/** The simulated cloud: what exists, what time it is and how long things take. */
export interface World {
  readonly instances: Collection<InstanceEntity>;
  readonly volumes: Collection<VolumeEntity>;
  readonly floatingIps: Collection<FloatingIpEntity>;
  readonly tasks: Collection<TaskEntity>;
  readonly sshKeys: Collection<SshKeyEntity>;
  readonly sftpStorages: Collection<SftpStorageEntity>;
  readonly cloudSshKeys: Collection<CloudSshKeyEntity>;
  readonly seed: number;
  readonly timeScale: number;
  now(): number;
  /** The next number of a sequence that survives a restore. */
  nextNumber(): number;
  /** Grows with every write; equal revisions mean that nothing happened in between. */
  revision(): number;
  snapshot(): SimulatorState;
  restore(state: SimulatorState): void;
}

export interface WorldOptions {
  seed: number;
  timeScale: number;
  now: () => number;
}

export function createWorld(options: WorldOptions): World {
  let sequence = emptyState().sequence;
  let revision = 0;
  const onWrite = (): void => {
    revision += 1;
  };
  const collections = createCollections(onWrite);
  return {
    ...collections,
    ...options,
    nextNumber: () => (sequence += 1),
    revision: () => revision,
    snapshot: () => ({
      version: 1,
      sequence,
      instances: collections.instances.snapshot(),
      volumes: collections.volumes.snapshot(),
      floatingIps: collections.floatingIps.snapshot(),
      tasks: collections.tasks.snapshot(),
      sshKeys: collections.sshKeys.snapshot(),
      sftpStorages: collections.sftpStorages.snapshot(),
      cloudSshKeys: collections.cloudSshKeys.snapshot(),
    }),
    restore(state) {
      sequence = state.sequence;
      collections.instances.restore(state.instances);
      collections.volumes.restore(state.volumes);
      collections.floatingIps.restore(state.floatingIps);
      collections.tasks.restore(state.tasks);
      collections.sshKeys.restore(state.sshKeys);
      collections.sftpStorages.restore(state.sftpStorages);
      collections.cloudSshKeys.restore(state.cloudSshKeys);
    },
  };
}

function createCollections(onWrite: () => void) {
  return {
    instances: createCollection<InstanceEntity>(onWrite),
    volumes: createCollection<VolumeEntity>(onWrite),
    floatingIps: createCollection<FloatingIpEntity>(onWrite),
    tasks: createCollection<TaskEntity>(onWrite),
    sshKeys: createCollection<SshKeyEntity>(onWrite),
    sftpStorages: createCollection<SftpStorageEntity>(onWrite),
    cloudSshKeys: createCollection<CloudSshKeyEntity>(onWrite),
  };
}
