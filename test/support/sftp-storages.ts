import type { SimulatorState } from '../../src/simulator/index.js';
import { stateWithKeys, type SeededKey } from './ssh-keys.js';

export const STORAGES_PATH = '/storage/v4/sftp_storages';

const START = Date.parse('2026-01-01T00:00:00Z');

export interface SeededStorage {
  id: number;
  sshKeyIds?: number[];
}

/** A cloud with these keys (the first has the id 1) and active storages. */
export function stateWithStorages(
  keys: readonly SeededKey[],
  storages: readonly SeededStorage[],
): SimulatorState {
  return {
    ...stateWithKeys(keys),
    sftpStorages: storages.map(({ id, sshKeyIds = [] }) => ({
      ...{ id: String(id), name: `storage-${id}`, locationName: 's-region-1', sshKeyIds },
      ...{ createdAt: START, change: 'creating', settledAt: START },
    })),
  };
}
