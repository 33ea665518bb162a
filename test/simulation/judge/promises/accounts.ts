import type { SimulatorState } from '../../../../src/simulator/index.js';
import { isKeptAs } from '../../api/odd-effects.js';
import { isAlive, rowOf, type Rows } from '../facts/rows.js';
import { at, isSameSet, listAt, parsed, textAt } from '../facts/values.js';
import {
  about,
  type Asked,
  type Broken,
  NOTHING,
  type OperationPromise,
  type Permit,
  type Succeeded,
  type Undoing,
  when,
} from './promise.js';

const createSshKey: OperationPromise<'createSshKey'> = {
  requests: 40,
  minutes: 60,
  touches: NOTHING,
  broken: ({ input, result, cloud }) => {
    const row = rowOf(cloud, 'sshKeys', result.keyId);
    const ref = about('sshKeys', result.keyId);
    if (row === undefined) return [{ says: 'its key does not exist', about: ref }];
    const twins = cloud.sshKeys.filter(({ name }) => name === input.name);
    return [
      ...when(!isKeptAs(input.name, row.name), 'its key has another name', ref),
      ...when(result.name !== row.name, 'its result has another name than its key', ref),
      ...when(
        bodyOf(row.publicKey) !== bodyOf(input.publicKey),
        'its key has another public key',
        ref,
      ),
      ...when(
        twins.length > 1,
        'several keys have its name',
        twins.flatMap(({ id }) => about('sshKeys', id)),
      ),
    ];
  },
};

/** Without its comment. */
function bodyOf(publicKey: string): string {
  return publicKey.trim().split(/\s+/).slice(0, 2).join(' ');
}

const deleteSshKey: OperationPromise<'deleteSshKey'> = {
  requests: 40,
  minutes: 60,
  touches: ({ input, cloud }) => {
    const id = String(input.keyId);
    const isUsed = cloud.sftpStorages.some(
      (row) => isAlive(row) && row.sshKeyIds.includes(input.keyId),
    );
    return isUsed ? [] : [{ rows: 'sshKeys', id, may: 'delete' }];
  },
  broken: ({ input, cloud }) =>
    when(
      rowOf(cloud, 'sshKeys', input.keyId) !== undefined,
      'its key still exists',
      about('sshKeys', input.keyId),
    ),
};

const createKvStore: OperationPromise<'createKvStore'> = {
  requests: 40,
  minutes: 60,
  touches: NOTHING,
  broken: ({ input, result, cloud }) => {
    const row = rowOf(cloud, 'kvStores', result.storeId);
    const ref = (...fields: string[]) => about('kvStores', result.storeId, ...fields);
    if (row === undefined) return [{ says: 'its store does not exist', about: ref() }];
    const twins = cloud.kvStores.filter(({ name }) => name === input.name);
    const isCommented = input.comment === undefined || isKeptAs(input.comment, row.comment);
    return [
      ...when(!isKeptAs(input.name, row.name), 'its store has another name', ref('name')),
      ...when(result.name !== row.name, 'its result has another name than its store', ref('name')),
      ...when(!isCommented, 'its store has another comment', ref('comment')),
      ...when(
        twins.length > 1,
        'several stores have its name',
        twins.flatMap(({ id }) => about('kvStores', id)),
      ),
    ];
  },
};

const replaceKvStore: OperationPromise<'replaceKvStore'> = {
  requests: 40,
  minutes: 60,
  touches: ({ input, cloud, body }) => {
    const row = rowOf(cloud, 'kvStores', input.storeId);
    // What is left out is sent as it is.
    const isKept = (name: 'name' | 'comment'): boolean =>
      input[name] !== undefined ||
      row === undefined ||
      body === undefined ||
      (textAt(body, name) ?? '') === row[name];
    const id = String(input.storeId);
    if (!isKept('name') || !isKept('comment')) return [];
    return [{ rows: 'kvStores', id, may: 'change', fields: ['name', 'comment', 'byod'] }];
  },
  broken: ({ input, cloud }) => {
    const row = rowOf(cloud, 'kvStores', input.storeId);
    const ref = (...fields: string[]) => about('kvStores', input.storeId, ...fields);
    if (row === undefined) return [{ says: 'its store does not exist', about: ref() }];
    return [
      ...when(
        input.name !== undefined && !isKeptAs(input.name, row.name),
        'its store has another name',
        ref('name'),
      ),
      ...when(
        input.comment !== undefined && !isKeptAs(input.comment, row.comment),
        'its store has another comment',
        ref('comment'),
      ),
    ];
  },
};

const deleteKvStore: OperationPromise<'deleteKvStore'> = {
  requests: 40,
  minutes: 60,
  touches: ({ input, cloud }) => {
    const isUsed = (rowOf(cloud, 'kvStores', input.storeId)?.appIds.length ?? 0) > 0;
    return isUsed ? [] : [{ rows: 'kvStores', id: String(input.storeId), may: 'delete' }];
  },
  broken: ({ input, cloud }) =>
    when(
      rowOf(cloud, 'kvStores', input.storeId) !== undefined,
      'its store still exists',
      about('kvStores', input.storeId),
    ),
};

const modifyKvStore: OperationPromise<'modifyKvStore'> = {
  requests: 60,
  minutes: 90,
  touches: ({ input: { storeId, items }, cloud }) => {
    const keys = items?.map(({ key }) => key) ?? cloud.kvEntries.map(({ key }) => key);
    return keys.map((key): Permit => ({
      rows: 'kvEntries',
      id: `${storeId}/${key}`,
      may: 'change',
    }));
  },
  broken: ({ input, result, cloud }) => {
    const { storeId, items = [], manifest } = input;
    const isCounted = manifest !== undefined || result.items === items.length;
    return [
      ...when(!isCounted, `its result counts ${result.items} of ${items.length} items`, []),
      ...[...new Set(items.map(({ key }) => key))].flatMap((key) =>
        brokenKey(input, { key, storeId, cloud }),
      ),
    ];
  },
};

function brokenKey(
  { items = [] }: Succeeded<'modifyKvStore'>['input'],
  { key, storeId, cloud }: { key: string; storeId: number; cloud: SimulatorState },
): Broken[] {
  const last = items.filter((item) => item.key === key).at(-1);
  const row = cloud.kvEntries.find(
    (entry) => entry.storeId === String(storeId) && entry.key === key,
  );
  const ref = [...about('kvEntries', `${storeId}/${key}`), ...about('kvStores', storeId, 'data')];
  if (last === undefined) return [];
  if (last.op === 'del_key') return when(row !== undefined, `the key ${key} still exists`, ref);
  if (last.op !== 'add') return [];
  const values = [at(last, 'payload')].flat().map((member) => textAt(member, 'value'));
  // Secrets by their names, and what has a form of its own.
  const isPlain = [at(last, 'payload')]
    .flat()
    .every((member) => ['plain', undefined].includes(textAt(member, 'encoding')));
  if (!isPlain || values.includes(undefined)) return [];
  const has = row?.values.map(({ value }) => value) ?? [];
  const isThere = values.every((value) => has.includes(value ?? ''));
  const isExact = last.datatype !== 'kv' || has.length === 1;
  return when(!isThere || !isExact, `the key ${key} has not the written value`, ref);
}

function isActive(row: Rows['sftpStorages'], now: number): boolean {
  return row.change !== 'deleting' && row.settledAt <= now + CLOCKS_APART_MS;
}

const CLOCKS_APART_MS = 5 * 60_000;

const createSftpStorage: OperationPromise<'createSftpStorage'> = {
  requests: 60,
  minutes: 150,
  touches: NOTHING,
  broken: ({ input, result, cloud, run }) => {
    const row = rowOf(cloud, 'sftpStorages', result.storageId);
    const ref = (...fields: string[]) => about('sftpStorages', result.storageId, ...fields);
    if (row === undefined || !isActive(row, run.closedAt ?? 0)) {
      return [{ says: 'its storage is not active', about: ref() }];
    }
    const { sshKeyIds: keys = [], password } = input;
    return [
      ...when(row.name !== input.name, 'its storage has another name', ref()),
      ...when(!isSameSet(row.sshKeyIds, keys), 'its storage has other keys', ref('sshKeyIds')),
      ...when(
        row.hasPassword !== (password !== undefined) && result.created,
        'its storage has a password, or none, unasked',
        ref('hasPassword'),
      ),
    ];
  },
};

const rotateSftpPassword: OperationPromise<'rotateSftpPassword'> = {
  requests: 60,
  minutes: 150,
  touches: ({ input }) => [
    {
      rows: 'sftpStorages',
      id: String(input.storageId),
      may: 'change',
      fields: ['hasPassword', 'change', 'settledAt'],
    },
  ],
  broken: ({ input, cloud, own }) => {
    const row = rowOf(cloud, 'sftpStorages', input.storageId);
    const isSet = own.some(({ effects }) =>
      effects.some(({ fields }) => fields?.includes('hasPassword') === true),
    );
    const ref = about('sftpStorages', input.storageId);
    return [
      ...when(row?.hasPassword !== true || !isAlive(row), 'its storage has no password', ref),
      ...when(!isSet, 'the API has taken no password of this run', []),
    ];
  },
};

/** Ids of the keys that have the names, at any time that is known. */
function keysOf(states: readonly SimulatorState[], names: readonly string[]): Set<number> {
  const rows = states.flatMap(({ sshKeys }) => sshKeys.filter(({ name }) => names.includes(name)));
  return new Set(rows.map(({ id }) => Number(id)));
}

/** It adds what it was asked for, or has seen there; it takes away only what it has added. */
function isMerge({ input, cloud, since, body }: Asked<'grantSftpAccess'>): boolean {
  const sent = listAt(parsed(body), 'ssh_key_ids');
  const row = rowOf(cloud, 'sftpStorages', input.storageId);
  if (row === undefined || at(parsed(body), 'ssh_key_ids') === undefined) return true;
  const asked = keysOf([cloud, ...since], input.keyNames);
  const seen = since.flatMap(
    (state) => rowOf(state, 'sftpStorages', input.storageId)?.sshKeyIds ?? [],
  );
  const lost = row.sshKeyIds.filter((id) => !sent.includes(id) && !asked.has(id));
  const foreign = sent.filter(
    (id) =>
      typeof id === 'number' && !row.sshKeyIds.includes(id) && !asked.has(id) && !seen.includes(id),
  );
  return lost.length === 0 && foreign.length === 0;
}

const grantSftpAccess: OperationPromise<'grantSftpAccess'> = {
  requests: 60,
  minutes: 150,
  touches: (asked) =>
    isMerge(asked)
      ? [
          {
            rows: 'sftpStorages',
            id: String(asked.input.storageId),
            may: 'change',
            fields: ['sshKeyIds', 'change', 'settledAt'],
          },
        ]
      : [],
  broken: ({ input, result, cloud, run }) => {
    const row = rowOf(cloud, 'sftpStorages', input.storageId);
    const ref = about('sftpStorages', input.storageId);
    if (row === undefined || !isActive(row, run.closedAt ?? 0))
      return [{ says: 'its storage is not active', about: ref }];
    const missing = result.keys.filter(({ id }) => !row.sshKeyIds.includes(id));
    const names = result.keys.map(({ name }) => name);
    const keys = result.keys.flatMap(({ id }) => about('sshKeys', id));
    return [
      ...when(missing.length > 0, 'its storage does not have every key', [...ref, ...keys]),
      ...when(!isSameSet(names, input.keyNames), 'its result names other keys', []),
    ];
  },
  notRestored: (ended) => notUnlinked(ended),
};

function notUnlinked({ input, own, cloud, facts, named }: Undoing<'grantSftpAccess'>): Broken[] {
  const linked = new Set<number>();
  for (const act of own) {
    const before = rowOf(act.cloud, 'sftpStorages', input.storageId);
    for (const id of listAt(parsed(act.call.body), 'ssh_key_ids')) {
      if (typeof id === 'number' && before?.sshKeyIds.includes(id) === false) linked.add(id);
    }
  }
  const asked = keysOf(
    [cloud, ...facts.timeline.states.map((state) => state.cloud)],
    input.keyNames,
  );
  const row = rowOf(cloud, 'sftpStorages', input.storageId);
  const left = (isAlive(row) ? (row?.sshKeyIds ?? []) : []).filter(
    (id) =>
      linked.has(id) &&
      asked.has(id) &&
      !named.some((resource) => resource.id === `${input.storageId}/${id}`),
  );
  return when(
    left.length > 0,
    'a key that it has linked is still linked',
    about('sftpStorages', input.storageId),
  );
}

/** Those that exist in all, and those that exist in any of these states. */
export function throughout<T extends { id: string }>(lists: readonly (readonly T[])[]) {
  const inAll = (lists[0] ?? []).filter((row) =>
    lists.every((list) => list.some(({ id }) => id === row.id)),
  );
  return { inAll, inAny: new Map(lists.flat().map((row) => [row.id, row])) };
}

const listSshKeys: OperationPromise<'listSshKeys'> = {
  requests: 60,
  minutes: 60,
  touches: NOTHING,
  broken: ({ input, result, facts, run }) => {
    const states = facts.timeline.between(run.startedAt, run.closedAt ?? Infinity);
    const { inAll, inAny } = throughout(states.map(({ sshKeys }) => sshKeys));
    const ids = result.keys.map(({ id }) => String(id));
    const isAll = input.limit === undefined && (input.offset ?? 0) === 0;
    const missing = inAll.filter(
      ({ id, name }) => name.includes(input.name ?? '') && !ids.includes(id),
    );
    return [
      ...when(isAll && missing.length > 0, 'its result lacks a key that exists', []),
      ...when(
        ids.some((id) => !inAny.has(id)),
        'its result has a key that does not exist',
        [],
      ),
      ...when(new Set(ids).size < ids.length, 'its result has a key twice', []),
    ];
  },
};

export const ACCOUNT_PROMISES = {
  createSshKey,
  deleteSshKey,
  createKvStore,
  replaceKvStore,
  deleteKvStore,
  modifyKvStore,
  createSftpStorage,
  rotateSftpPassword,
  grantSftpAccess,
  listSshKeys,
};
