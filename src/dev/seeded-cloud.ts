import { emptyState, type SimulatorState } from '../simulator/index.js';

const CREATED_AT = Date.parse('2026-01-01T00:00:00Z');
const PUBLIC_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBp3Xkq0ePPKqJXcUnV6hZ2oGX1f2gkz0Pq0H3V9bq0c';
const STORE_ID = '17';
const KEY_NAMES = ['ingest', 'audit', 'backup'];

/** The cloud of `dev` at its first start: everything that the files in `examples` name. */
export function seededCloud(): SimulatorState {
  return {
    ...emptyState(),
    // New rows get higher ids than these.
    sequence: 100,
    ...seededKeys(),
    ...seededStore(),
    floatingIps: [publicAddress('203.0.113.7')],
  };
}

function seededKeys(): Pick<SimulatorState, 'sshKeys' | 'sftpStorages'> {
  return {
    sshKeys: KEY_NAMES.map((name, index) => ({
      id: String(index + 1),
      name,
      publicKey: `${PUBLIC_KEY} ${name}`,
      createdAt: CREATED_AT,
    })),
    sftpStorages: [
      {
        id: '7',
        name: 'uploads',
        locationName: 's-region-1',
        // The key `backup` is linked before any run, and must stay linked.
        sshKeyIds: [KEY_NAMES.indexOf('backup') + 1],
        hasPassword: false,
        expires: null,
        serverAlias: null,
        isHttpDisabled: false,
        hasCustomConfigFile: false,
        createdAt: CREATED_AT,
        change: 'creating',
        settledAt: CREATED_AT,
      },
    ],
  };
}

function seededStore(): Pick<SimulatorState, 'kvStores' | 'kvEntries'> {
  const key = 'old-greeting';
  return {
    kvStores: [
      {
        id: STORE_ID,
        name: 'site',
        comment: 'Content of the edge',
        byod: null,
        appIds: [],
        revision: 1,
        updatedAt: CREATED_AT,
      },
    ],
    kvEntries: [
      {
        id: `${STORE_ID}/${key}`,
        storeId: STORE_ID,
        key,
        datatype: 'kv',
        values: [{ value: 'good day', encoding: 'plain', score: null }],
        expiresAt: null,
      },
    ],
  };
}

function publicAddress(address: string): SimulatorState['floatingIps'][number] {
  return {
    id: '5b6c0f6e-7b1d-4c1a-9d0e-2f1a3b4c5d6e',
    projectId: 1,
    regionId: 1,
    createdAt: CREATED_AT,
    listedAt: CREATED_AT,
    creatorTaskId: null,
    taskId: null,
    tags: {},
    address,
    portId: null,
    fixedIpAddress: null,
    instanceId: null,
  };
}
