import type { SimulatorState } from '../../../src/simulator/index.js';
import { callByHand } from '../http/call-by-hand.js';
import type { Scenario } from '../runs/scenario.js';
import { stateWithKeys, type SeededKey } from './ssh-keys.js';

export const STORAGES_PATH = '/storage/v4/sftp_storages';

const START = Date.parse('2026-01-01T00:00:00Z');

export interface SeededStorage {
  id: number;
  sshKeyIds?: number[];
}

/** A cloud with these keys (ids from 1) and with active storages. */
export function stateWithStorages(
  keys: readonly SeededKey[],
  storages: readonly SeededStorage[],
): SimulatorState {
  return {
    ...stateWithKeys(keys),
    sftpStorages: storages.map(({ id, sshKeyIds = [] }) => ({
      id: String(id),
      name: `storage-${id}`,
      locationName: 's-region-1',
      sshKeyIds,
      hasPassword: false,
      expires: null,
      serverAlias: null,
      isHttpDisabled: false,
      hasCustomConfigFile: false,
      createdAt: START,
      change: 'creating',
      settledAt: START,
    })),
  };
}

/** Overwrites the list of keys, as another client would. */
export async function writeKeys(
  { api }: Pick<Scenario, 'api'>,
  storageId: number,
  sshKeyIds: readonly number[],
): Promise<void> {
  await callByHand(api, `PATCH ${STORAGES_PATH}/${storageId}`, { ssh_key_ids: sshKeyIds });
}

/** The ids of the keys that a storage really has. */
export function keysOf({ simulator }: Pick<Scenario, 'simulator'>, storageId: number): number[] {
  const storage = simulator.inventory().sftpStorages.find(({ id }) => id === storageId);
  if (storage === undefined) throw new Error(`There is no storage ${storageId}`);
  return storage.ssh_key_ids;
}
