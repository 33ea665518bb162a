import { z } from 'zod';

import { type Collection, createCollection } from './collection.js';
import type { OpenFacts } from './open-facts.js';
import { type RowKind, type Rows, rowSchemas } from './rows.js';
import { emptyState, type SimulatorState } from './simulator-state.js';

export type Collections = { readonly [K in RowKind]: Collection<Rows[K]> };

/** The simulated cloud: what exists, what time it is and how long things take. */
export interface World extends Collections, OpenFacts {
  quotas(): Readonly<Record<string, number>>;
  soldOutFlavors(): readonly string[];
  readonly seed: number;
  readonly timeScale: number;
  /** Share of videos that fail by chance, from 0 to 1. */
  readonly videoFailureShare: number;
  now(): number;
  /** No task ends before: every request asks, and there may be many tasks. */
  nextEnd: NextEnd;
  /** The next number of a sequence that survives a restore. */
  nextNumber(): number;
  /** Grows with every write. Equal revisions mean that nothing was written in between. */
  revision(): number;
  snapshot(): SimulatorState;
  restore(state: SimulatorState): void;
}

export interface NextEnd {
  at(): number;
  set(at: number): void;
}

export interface WorldOptions extends OpenFacts {
  seed: number;
  timeScale: number;
  now: () => number;
  videoFailureShare: number;
}

export function createWorld(options: WorldOptions): World {
  let { sequence, quotas, soldOutFlavors } = emptyState();
  let revision = 0;
  let nextEnd = -Infinity;
  const collections = createCollections(
    () => {
      revision += 1;
    },
    (task) => {
      if (task === undefined) nextEnd = -Infinity;
      else if (!task.settled) nextEnd = Math.min(nextEnd, task.endsAt);
    },
  );
  return {
    ...collections,
    ...options,
    nextEnd: {
      at: () => nextEnd,
      set: (at) => {
        nextEnd = at;
      },
    },
    quotas: () => quotas,
    soldOutFlavors: () => soldOutFlavors,
    nextNumber: () => (sequence += 1),
    revision: () => revision,
    snapshot() {
      const state = { ...emptyState(), sequence, quotas, soldOutFlavors };
      for (const kind of ROW_KINDS) {
        Object.assign(state, { [kind]: collections[kind].snapshot() });
      }
      return state;
    },
    restore(state) {
      ({ sequence, quotas, soldOutFlavors } = state);
      for (const kind of ROW_KINDS) restoreRows(collections, state, kind);
    },
  };
}

const ROW_KINDS = z.object(rowSchemas).keyof().options;

function restoreRows<K extends RowKind>(
  collections: { readonly [P in K]: Collection<Rows[P]> },
  state: { [P in K]: Rows[P][] },
  kind: K,
): void {
  collections[kind].restore(state[kind]);
}

function createCollections(
  onWrite: () => void,
  onTask: (task?: Readonly<Rows['tasks']>) => void,
): Collections {
  return {
    projects: createCollection(rowSchemas.projects, onWrite),
    networks: createCollection(rowSchemas.networks, onWrite),
    subnets: createCollection(rowSchemas.subnets, onWrite),
    images: createCollection(rowSchemas.images, onWrite),
    securityGroups: createCollection(rowSchemas.securityGroups, onWrite),
    placementGroups: createCollection(rowSchemas.placementGroups, onWrite),
    instances: createCollection(rowSchemas.instances, onWrite),
    volumes: createCollection(rowSchemas.volumes, onWrite),
    floatingIps: createCollection(rowSchemas.floatingIps, onWrite),
    tasks: createCollection(rowSchemas.tasks, (task) => {
      onWrite();
      onTask(task);
    }),
    sshKeys: createCollection(rowSchemas.sshKeys, onWrite),
    sftpStorages: createCollection(rowSchemas.sftpStorages, onWrite),
    cloudSshKeys: createCollection(rowSchemas.cloudSshKeys, onWrite),
    ddosProfiles: createCollection(rowSchemas.ddosProfiles, onWrite),
    videos: createCollection(rowSchemas.videos, onWrite),
    subtitles: createCollection(rowSchemas.subtitles, onWrite),
    kvStores: createCollection(rowSchemas.kvStores, onWrite),
    kvEntries: createCollection(rowSchemas.kvEntries, onWrite),
    snapshots: createCollection(rowSchemas.snapshots, onWrite),
    reservedFixedIps: createCollection(rowSchemas.reservedFixedIps, onWrite),
  };
}
