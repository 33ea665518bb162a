import type { GrantSftpAccessInput } from '../../../src/contract/operations/grant-sftp-access.js';
import type { ImportVideosInput } from '../../../src/contract/operations/import-videos.js';
import type { Operations } from '../../../src/contract/operations/index.js';
import type { Inventory, SimulatorState } from '../../../src/simulator/index.js';
import { protectInput, stateWithProfiles } from './protect-input.js';
import { kvInput, stateWithStores } from '../worlds/kv-stores.js';
import { provisionInput } from './provision-input.js';
import { stateWithStorages } from '../worlds/sftp-storages.js';
import { idsFrom, manyKeys, stateWithKeys } from '../worlds/ssh-keys.js';
import { video } from '../worlds/videos.js';

/** A plain request that succeeds. The scaffolds of `test/steps` run it. */
export interface OperationCase<O extends keyof Operations = keyof Operations> {
  operation: O;
  /** Distinguishes the cases of one operation. */
  where?: string;
  /** @param name distinguishes the resources of one request from those of another. */
  input: (name: string) => Omit<Operations[O]['input'], 'account'>;
  /** Number of resources that one request creates or changes; 0 when it only reads. */
  makes: 0 | 1;
  /** The method of the call that changes something; missing when the operation only reads. */
  changes?: 'POST' | 'PATCH';
  /** The simulated cloud at the start. */
  state?: SimulatorState;
  /** Ids of the resources of a request, for resources that have no marker. */
  existing?: (name: string, inventory: Inventory) => string[];
}

/** Each request has an address of its own. */
function addressOf(name: string): string {
  return `203.0.113.${/\d+$/.exec(name)?.[0] ?? '255'}`;
}

function profilesOf(inventory: Inventory, name: string) {
  return inventory.ddosProfiles.filter((profile) => profile.ip_address === addressOf(name));
}

function protectCase(name: string): ReturnType<typeof protectInput> {
  const { profile, ...rest } = protectInput();
  return { ...rest, profile: { ...profile, ip_address: addressOf(name) } };
}

const MANY_ADDRESSES = Array.from({ length: 100 }, (_, index) => addressOf(String(index)));

const STORES = 1_000;
let stores = 0;

function nextStore(): number {
  stores = (stores % STORES) + 1;
  return stores;
}

/** Every operation belongs here. The scaffolds then test what it must survive without further code. */
export const OPERATION_CASES: readonly OperationCase[] = [
  {
    operation: 'provisionInstance',
    makes: 1,
    changes: 'POST',
    input: (name) =>
      provisionInput({
        name,
        interfaces: [
          {
            type: 'any_subnet',
            network_id: '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa',
            floating_ip: { source: 'new' },
          },
        ],
      }),
  },
  {
    operation: 'protectIp',
    where: 'an address without a profile',
    makes: 1,
    changes: 'POST',
    input: protectCase,
    existing: (name, inventory) => profilesOf(inventory, name).map(({ id }) => String(id)),
  },
  {
    operation: 'protectIp',
    where: 'an address with a profile',
    makes: 1,
    changes: 'PATCH',
    state: stateWithProfiles(MANY_ADDRESSES),
    input: protectCase,
    // An unchanged profile does not exist because of the run.
    existing: (name, inventory) =>
      profilesOf(inventory, name)
        .filter(({ options, profile_template: template }) => options.active || template?.id !== 13)
        .map(({ id }) => String(id)),
  },
  {
    operation: 'listSshKeys',
    makes: 0,
    // Three pages, so that there is a call before, between and after others.
    state: stateWithKeys(manyKeys(2_500)),
    input: () => ({}),
  },
  {
    operation: 'grantSftpAccess',
    makes: 0,
    changes: 'PATCH',
    // Each request has its own storage with a key of another user.
    state: stateWithStorages(
      [{ name: 'other' }, { name: 'ingest' }, { name: 'audit' }],
      idsFrom(1, 100).map((id) => ({ id, sshKeyIds: [1] })),
    ),
    input: (name): Omit<GrantSftpAccessInput, 'account'> => ({
      storageId: storageOf(name),
      keyNames: ['ingest', 'audit'],
    }),
    existing: (name, { sftpStorages }) =>
      sftpStorages
        .filter(({ id }) => id === storageOf(name))
        .flatMap(({ id, ssh_key_ids: keyIds }) => {
          // The key of the other user must stay. If it is lost, this text is no id of a ledger.
          const others = keyIds.includes(1) ? [] : ['the key of another user is lost'];
          return [
            ...keyIds.filter((keyId) => keyId !== 1).map((keyId) => `${id}/${keyId}`),
            ...others,
          ];
        }),
  },
  {
    operation: 'importVideos',
    // The run keeps the videos it created, so the scaffolds expect no removal.
    makes: 0,
    input: (name): Omit<ImportVideosInput, 'account'> => ({ videos: [video(name)] }),
  },
  {
    operation: 'modifyKvStore',
    makes: 0,
    state: stateWithStores(STORES),
    // Each request has its own store, because requests for one store wait for one another.
    input: () => kvInput({ storeId: nextStore(), chunkItems: 2 }),
  },
];

/** The name of a request ends with its number, from 0. */
function storageOf(name: string): number {
  return Number(name.split('-').at(-1)) + 1;
}
