import { type Collection, createCollection } from './collection.js';
import type { NameForm } from './name-form.js';
import {
  type CloudSshKeyEntity,
  type DdosProfileEntity,
  emptyState,
  type FloatingIpEntity,
  type InstanceEntity,
  type SftpStorageEntity,
  type KvEntryEntity,
  type KvStoreEntity,
  type SimulatorState,
  type SshKeyEntity,
  type TaskEntity,
  type VideoEntity,
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
  readonly ddosProfiles: Collection<DdosProfileEntity>;
  readonly videos: Collection<VideoEntity>;
  readonly kvStores: Collection<KvStoreEntity>;
  readonly kvEntries: Collection<KvEntryEntity>;
  quotas(): Readonly<Record<string, number>>;
  soldOutFlavors(): readonly string[];
  readonly seed: number;
  readonly timeScale: number;
  /** What a PATCH of a DDoS profile without `fields` does to its fields. The API does not document it. */
  readonly patchWithoutFields: PatchWithoutFields;
  /** Whether the `data` of a task repeats the tags of its create call. The API does not document it. */
  readonly echoTags: boolean;
  /** The form in which names of videos are stored. The API does not document it. */
  readonly nameForm: NameForm;
  /** Whether lists in values of DDoS fields come back sorted. The API does not document it. */
  readonly sortsLists: boolean;
  /** Share of videos that fail by chance, from 0 to 1. */
  readonly videoFailureShare: number;
  now(): number;
  /** The next number of a sequence that survives a restore. */
  nextNumber(): number;
  /** Grows with every write. Equal revisions mean that nothing was written in between. */
  revision(): number;
  snapshot(): SimulatorState;
  restore(state: SimulatorState): void;
}

export interface WorldOptions {
  seed: number;
  timeScale: number;
  now: () => number;
  patchWithoutFields: PatchWithoutFields;
  echoTags: boolean;
  nameForm: NameForm;
  sortsLists: boolean;
  videoFailureShare: number;
}

export type PatchWithoutFields = 'keep' | 'clear';

export function createWorld(options: WorldOptions): World {
  let { sequence, quotas, soldOutFlavors } = emptyState();
  let revision = 0;
  const onWrite = (): void => {
    revision += 1;
  };
  const collections = createCollections(onWrite);
  return {
    ...collections,
    ...options,
    quotas: () => quotas,
    soldOutFlavors: () => soldOutFlavors,
    nextNumber: () => (sequence += 1),
    revision: () => revision,
    snapshot: () => ({ version: 1, sequence, quotas, soldOutFlavors, ...snapshotOf(collections) }),
    restore(state) {
      ({ sequence, quotas, soldOutFlavors } = state);
      restoreTo(collections, state);
    },
  };
}

type Collections = ReturnType<typeof createCollections>;

function snapshotOf(collections: Collections) {
  return {
    instances: collections.instances.snapshot(),
    volumes: collections.volumes.snapshot(),
    floatingIps: collections.floatingIps.snapshot(),
    tasks: collections.tasks.snapshot(),
    sshKeys: collections.sshKeys.snapshot(),
    sftpStorages: collections.sftpStorages.snapshot(),
    cloudSshKeys: collections.cloudSshKeys.snapshot(),
    ddosProfiles: collections.ddosProfiles.snapshot(),
    videos: collections.videos.snapshot(),
    kvStores: collections.kvStores.snapshot(),
    kvEntries: collections.kvEntries.snapshot(),
  };
}

function restoreTo(collections: Collections, state: SimulatorState): void {
  collections.instances.restore(state.instances);
  collections.volumes.restore(state.volumes);
  collections.floatingIps.restore(state.floatingIps);
  collections.tasks.restore(state.tasks);
  collections.sshKeys.restore(state.sshKeys);
  collections.sftpStorages.restore(state.sftpStorages);
  collections.cloudSshKeys.restore(state.cloudSshKeys);
  collections.ddosProfiles.restore(state.ddosProfiles);
  collections.videos.restore(state.videos);
  collections.kvStores.restore(state.kvStores);
  collections.kvEntries.restore(state.kvEntries);
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
    ddosProfiles: createCollection<DdosProfileEntity>(onWrite),
    videos: createCollection<VideoEntity>(onWrite),
    kvStores: createCollection<KvStoreEntity>(onWrite),
    kvEntries: createCollection<KvEntryEntity>(onWrite),
  };
}
