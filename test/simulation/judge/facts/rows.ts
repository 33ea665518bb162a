import type { RowKind, Rows } from '../../../../src/simulator/state/rows.js';
import type { SimulatorState } from '../../../../src/simulator/index.js';

export type { RowKind, Rows };

/** One row of the simulated cloud. */
export interface RowRef {
  rows: RowKind;
  id: string;
}

/** What a call does to a row. */
export interface Effect extends RowRef {
  does: 'makes' | 'changes' | 'deletes';
  /** What of it; all that it may have when left out. */
  fields?: readonly string[];
  /** The API does it by itself when it does the rest: a lock, a detached part of a deleted machine. */
  isConsequence?: true;
}

/** Kinds as a person calls them. */
const NAMES: Record<RowKind, string> = {
  projects: 'project',
  networks: 'network',
  subnets: 'subnet',
  images: 'image',
  securityGroups: 'security group',
  placementGroups: 'placement group',
  cloudSshKeys: 'key of the cloud area',
  ddosProfiles: 'DDoS profile',
  instances: 'instance',
  volumes: 'volume',
  floatingIps: 'floating IP',
  snapshots: 'snapshot',
  reservedFixedIps: 'reserved address',
  tasks: 'task',
  sshKeys: 'SSH key',
  sftpStorages: 'SFTP storage',
  videos: 'video',
  subtitles: 'subtitles',
  kvStores: 'KV store',
  kvEntries: 'key of a KV store',
};

export const ROW_KINDS = Object.keys(NAMES).filter((name): name is RowKind => name in NAMES);

export function nameOf(kind: RowKind): string {
  return NAMES[kind];
}

export function keyOf({ rows, id }: RowRef): string {
  return `${rows}/${id}`;
}

/** The row, also one that only still shows that it was deleted. */
export function rowOf<K extends RowKind>(
  cloud: SimulatorState,
  rows: K,
  id: string | number,
): Rows[K] | undefined {
  const all: { readonly [P in RowKind]: readonly Rows[P][] } = cloud;
  const wanted = String(id);
  return all[rows].find((row) => row.id === wanted);
}

/** Deleted storages and projects keep their rows. */
export function isAlive(row: Rows[RowKind] | undefined): boolean {
  if (row === undefined) return false;
  if ('change' in row) return row.change !== 'deleting';
  return !('deletedAt' in row && row.deletedAt !== null);
}

export function isAliveIn(cloud: SimulatorState, { rows, id }: RowRef): boolean {
  return isAlive(rowOf(cloud, rows, id));
}
