import { z } from 'zod';

import { formatFaults } from '../../engine/core/faults.js';
import { parseInput } from '../../engine/schema/parse-input.js';
import { PROJECTS } from './catalog.js';
import { type RowKind, rowSchemas } from './rows.js';

/** What is missing is as in a new cloud, so a state can be written by hand. */
function rowsOf<K extends RowKind>(kind: K) {
  return z.array(rowSchemas[kind]).default([]);
}

const simulatorStateSchema = z.strictObject({
  version: z.literal(1),
  /** Durations, ids and addresses follow from it, so a restored simulator continues where it stopped. */
  sequence: z.number().int().default(0),
  projects: z.array(rowSchemas.projects).default(() => [...PROJECTS]),
  networks: rowsOf('networks'),
  subnets: rowsOf('subnets'),
  images: rowsOf('images'),
  securityGroups: rowsOf('securityGroups'),
  placementGroups: rowsOf('placementGroups'),
  instances: rowsOf('instances'),
  volumes: rowsOf('volumes'),
  floatingIps: rowsOf('floatingIps'),
  tasks: rowsOf('tasks'),
  sshKeys: rowsOf('sshKeys'),
  sftpStorages: rowsOf('sftpStorages'),
  cloudSshKeys: rowsOf('cloudSshKeys'),
  ddosProfiles: rowsOf('ddosProfiles'),
  videos: rowsOf('videos'),
  subtitles: rowsOf('subtitles'),
  kvStores: rowsOf('kvStores'),
  kvEntries: rowsOf('kvEntries'),
  snapshots: rowsOf('snapshots'),
  reservedFixedIps: rowsOf('reservedFixedIps'),
  /** Limits by quota, such as `{ vm_count: 10 }`; other quotas have no limit. Only `check_limits` reads them. */
  quotas: z.record(z.string(), z.number()).default({}),
  /** Ids of flavors that `available_flavors` does not offer. */
  soldOutFlavors: z.array(z.string()).default([]),
});

/**
 * Everything that exists in the simulated cloud, ready for JSON, without the request log and the
 * faults. Tasks echo the requests of callers with their passwords.
 */
export type SimulatorState = z.infer<typeof simulatorStateSchema>;

export function emptyState(): SimulatorState {
  return simulatorStateSchema.parse({ version: 1 });
}

/** Parses a snapshot from outside, such as from a file. */
export function parseSimulatorState(input: unknown): SimulatorState {
  const parsed = parseInput(simulatorStateSchema, input, { maxValues: Infinity });
  if (parsed.ok) return parsed.value;
  throw new TypeError(`This is not a state of a simulator:\n${formatFaults(parsed.faults)}`);
}
