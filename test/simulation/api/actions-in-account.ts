import { plain, type Act, type Scene } from './scene.js';

const SSH_KEYS = '/storage/v4/ssh_keys';
const STORAGES = '/storage/v4/sftp_storages';
const KV_STORES = '/fastedge/v1/kv';
const VIDEOS = '/streaming/videos';

interface Kind {
  what: string;
  path: string;
  rows: (scene: Scene) => readonly { id: string; name: string }[];
}

function deleting({ what, path, rows }: Kind): Act {
  return (scene) => {
    const row = scene.choose(rows(scene));
    return (
      row && {
        says: `deletes the ${what} ${row.name}`,
        method: 'DELETE',
        path: `${path}/${row.id}`,
        body: undefined,
      }
    );
  };
}

const renameVideo: Act = ({ choose, state, name }) => {
  const row = choose(state.videos);
  return (
    row && {
      says: `renames the video ${row.name}`,
      method: 'PATCH',
      path: `${VIDEOS}/${row.id}`,
      body: { name: name(state.videos) },
    }
  );
};

const renameKvStore: Act = ({ choose, state, name }) => {
  const row = choose(state.kvStores);
  return (
    row && {
      says: `renames the KV store ${row.name}`,
      method: 'PUT',
      path: `${KV_STORES}/${row.id}`,
      body: { name: name(state.kvStores), comment: row.comment },
    }
  );
};

/** No call renames a key: people make it again under another name. */
const renewKey: Act = ({ choose, state, name }) => {
  const row = choose(state.sshKeys);
  const called = plain(name(state.sshKeys));
  return (
    row && {
      says: `adds the SSH key ${row.name} as ${called}`,
      method: 'POST',
      path: SSH_KEYS,
      body: { name: called, public_key: row.publicKey },
    }
  );
};

const MOST_KEYS = 5;

const linkKey: Act = ({ choose, state, draw }) => {
  const storage = choose(state.sftpStorages.filter(({ change }) => change !== 'deleting'));
  if (storage === undefined) return undefined;
  const before = storage.sshKeyIds;
  const linked = state.sshKeys.filter(({ id }) => before.includes(Number(id)));
  const loose = state.sshKeys.filter((row) => !linked.includes(row));
  const isLink = before.length < MOST_KEYS && (linked.length === 0 || draw.chance(0.5));
  const key = choose(isLink ? loose : linked);
  if (key === undefined) return undefined;
  const id = Number(key.id);
  return {
    says: `${isLink ? 'links' : 'unlinks'} the key ${key.name} ${isLink ? 'to' : 'from'} ${storage.name}`,
    method: 'PATCH',
    path: `${STORAGES}/${storage.id}`,
    body: { ssh_key_ids: isLink ? [...before, id] : before.filter((other) => other !== id) },
  };
};

const PUBLIC_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJZqJ0y0J0cH1VY0jz0nS0qkq3b1h5yqfQ9y1m2n3b4c';

const createKey: Act = ({ state, name }) => {
  const called = plain(name(state.sshKeys));
  return {
    says: `adds an SSH key called ${called}`,
    method: 'POST',
    path: SSH_KEYS,
    body: { name: called, public_key: PUBLIC_KEY },
  };
};

const createStorage: Act = ({ state, name }) => {
  const called = plain(name(state.sftpStorages));
  return {
    says: `makes an SFTP storage called ${called}`,
    method: 'POST',
    path: STORAGES,
    body: { location_name: 's-region-1', name: called, password_mode: 'none' },
  };
};

const createKvStore: Act = ({ state, name }) => {
  const called = name(state.kvStores);
  return {
    says: `makes a KV store called ${called}`,
    method: 'POST',
    path: KV_STORES,
    body: { name: called, comment: 'by hand' },
  };
};

const createVideo: Act = ({ state, name }) => {
  const called = name(state.videos);
  return {
    says: `makes a video called ${called}`,
    method: 'POST',
    path: VIDEOS,
    body: { video: { name: called } },
  };
};

const writeKvKey: Act = ({ choose, state, draw }) => {
  const store = choose(state.kvStores.filter(({ byod }) => byod === null));
  if (store === undefined) return undefined;
  const known = state.kvEntries.filter((row) => row.storeId === store.id && row.datatype === 'kv');
  const key = choose(known)?.key ?? `console-${draw.number(1, 9)}`;
  const isRemoval = known.length > 0 && draw.chance(0.3);
  const payload = { value: `by hand ${draw.number(1, 999)}`, encoding: 'plain' };
  const item = isRemoval ? { op: 'del_key' } : { op: 'add', payload };
  return {
    says: `${isRemoval ? 'removes' : 'writes'} the key ${key} of ${store.name}`,
    method: 'PUT',
    path: `${KV_STORES}/${store.id}/data`,
    body: [{ key, datatype: 'kv', ...item }],
  };
};

/** What others do with keys, storages, stores and videos. */
export const ACCOUNT_ACTIONS: readonly Act[] = [
  deleting({ what: 'SSH key', path: SSH_KEYS, rows: ({ state }) => state.sshKeys }),
  deleting({
    what: 'SFTP storage',
    path: STORAGES,
    rows: ({ state }) => state.sftpStorages.filter(({ change }) => change !== 'deleting'),
  }),
  deleting({ what: 'KV store', path: KV_STORES, rows: ({ state }) => state.kvStores }),
  deleting({ what: 'video', path: VIDEOS, rows: ({ state }) => state.videos }),
  renameVideo,
  renameKvStore,
  renewKey,
  linkKey,
  createKey,
  createStorage,
  createKvStore,
  createVideo,
  writeKvKey,
];
