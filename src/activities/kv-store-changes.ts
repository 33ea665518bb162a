import type { ApplicationFailure } from '@temporalio/common';

import { MAX_NAME_BYTES } from '../contract/api/errors.js';
import { kvStoreListSchema, kvStoreSchema, type KvStore } from '../contract/api/fastedge.js';
import { paths } from '../contract/wire/paths.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { beforeSending } from '../engine/activities/before-sending.js';
import { notSentFailure } from '../engine/activities/registered-activities.js';
import { cutText } from '../engine/core/text.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { getOne, makeAtOnce, removeAtOnce } from './cloud-calls.js';
import { readAllRows } from './cloud-list.js';
import { mayBeNamed } from '../contract/wire/stored-form.js';

/** What a person has written about a store. A long text is cut. */
export interface KvStoreTexts {
  name: string;
  comment: string;
}

export interface KvStoreSettings extends KvStoreTexts {
  id: number;
  /** How many apps use it. */
  appCount: number;
  /** In bytes; 0 for a BYOD store. */
  size: number;
  /** Its data is in a database of the user. */
  isByod: boolean;
  /** The answer shows neither that nor what only a store of the edge has. */
  isUnclear?: true;
  /** The answer does not show a comment: it need not be empty. */
  lacksComment?: true;
}

/** A store that has a name, or whose name a store may have made of it. */
export interface NamedKvStore extends KvStoreTexts {
  id: number;
  /** `similar`: both texts may be what a store has made of those asked for, or the comment is not shown. `other`: it has the name, and another comment. */
  fit: 'as asked' | 'similar' | 'other';
  /** As of `KvStoreSettings`. */
  lacksComment?: true;
}

export interface WantedKvStore {
  name: string;
  /** Any, when left out. */
  comment?: string | undefined;
  /** Of one that counts whatever its name is. */
  storeId?: number | undefined;
}

export interface NamedKvStores {
  /** All of that name. The API does not say that a name comes up once. */
  count: number;
  /** The first of them, and of similar ones. Those as asked come first. */
  stores: NamedKvStore[];
}

export interface OneStore {
  storeId: number;
}

export interface ReplaceKvStoreInput extends OneStore, Partial<KvStoreTexts> {
  /** What the change was made from. */
  seen: KvStoreTexts;
}

const MAX_COMMENT_BYTES = 2_000;
const MAX_STORES = 10;

/** The stores themselves, without their data. */
export function createKvStoreChangeActivities({ api }: { api: ApiClient }) {
  const read = ({ storeId }: OneStore) => getOne(api, paths.kvStore(storeId), kvStoreSchema);
  const listAll = () =>
    withPatientReads(api, (reads) =>
      readAllRows(reads, { path: paths.kvStores(), response: kvStoreListSchema }),
    );
  return {
    reads: {
      /** Fails as `NotFound` when it is gone. `GET /fastedge/v1/kv/{store_id}` */
      getKvStore: async (store: OneStore): Promise<KvStoreSettings> =>
        toSettings(store.storeId, await read(store)),
      /** The stores with this name, or a similar one. Not all documents of the API know `search`. `GET /fastedge/v1/kv` */
      async findKvStores(wanted: WantedKvStore): Promise<NamedKvStores> {
        const rows = await listAll();
        const stores = rows.flatMap((row) => {
          const fit = fitOf(row, wanted);
          return fit === undefined ? [] : [{ id: row.id, ...toTexts(row), fit, ...lackOf(row) }];
        });
        stores.sort((a, b) => FITS.indexOf(a.fit) - FITS.indexOf(b.fit));
        const count = rows.filter((row) => row.name === wanted.name).length;
        return { count, stores: stores.slice(0, MAX_STORES) };
      },
      /** Whether the list of all has it. `GET /fastedge/v1/kv` */
      isKvStoreListed: async ({ storeId }: OneStore): Promise<boolean> =>
        (await listAll()).some(({ id }) => id === storeId),
    },
    mutations: {
      /** `POST /fastedge/v1/kv`. One attempt: see engine/send/change-once. */
      createKvStore: ({ name, comment }: Pick<KvStoreTexts, 'name'> & Partial<KvStoreTexts>) =>
        makeAtOnce(api, { path: paths.kvStores(), body: { name, comment } }),
      /**
       * Sets the name, the comment or both. `PUT /fastedge/v1/kv/{store_id}` takes the whole store, so what is left out is
       * sent as it is now. Not sent when the store is no longer what was seen: the call may have waited for its turn. One
       * attempt: see engine/send/change-once.
       */
      async replaceKvStore({ storeId, name, comment, seen }: ReplaceKvStoreInput) {
        const current = await beforeSending(() => read({ storeId }));
        if (!isSeen(toSettings(storeId, current), seen)) throw changedFailure(storeId);
        const replaced = await api.request({
          method: 'PUT',
          path: paths.kvStore(storeId),
          // A comment that the API does not show must not be taken away.
          body: { name: name ?? current.name, comment: comment ?? current.comment ?? undefined },
          response: kvStoreSchema,
          repeatable: false,
        });
        return toTexts(replaced);
      },
    },
    deletes: {
      /** `DELETE /fastedge/v1/kv/{store_id}`, with its data. The API refuses a store that apps use (409). */
      deleteKvStore: ({ storeId }: OneStore) => removeAtOnce(api, paths.kvStore(storeId)),
    },
  } satisfies ActivityGroups;
}

const FITS: readonly NamedKvStore['fit'][] = ['as asked', 'similar', 'other'];

function fitOf(
  { id, name, comment }: Pick<KvStore, 'name' | 'comment'> & { id: number },
  wanted: WantedKvStore,
): NamedKvStore['fit'] | undefined {
  const { comment: asked = comment ?? '' } = wanted;
  if (name === wanted.name && (comment ?? '') === asked) return 'as asked';
  if (id === wanted.storeId) return 'similar';
  const mayHaveComment = typeof comment !== 'string' || mayBeNamed(asked, comment);
  if (mayBeNamed(wanted.name, name) && mayHaveComment) return 'similar';
  return name === wanted.name ? 'other' : undefined;
}

/** Without its URL the API might take a BYOD store from its data. */
function isSeen(current: KvStoreSettings, { name, comment }: KvStoreTexts): boolean {
  const mayBeByod = current.isByod || current.isUnclear === true;
  return !mayBeByod && name === current.name && comment === current.comment;
}

function changedFailure(storeId: number): ApplicationFailure {
  return notSentFailure(`somebody has changed KV store ${storeId} since the run has read it`, {
    advice: 'Nothing to do: the run reads it again.',
  });
}

function toSettings(id: number, store: KvStore): KvStoreSettings {
  const { app_count: appCount, byod, revision } = store;
  const size = store.size ?? 0;
  const isByod = byod !== undefined && byod !== null;
  // The size of a BYOD store is 0, and it has no revision.
  const isUnclear = !isByod && size === 0 && typeof revision !== 'number';
  return {
    ...{ id, ...toTexts(store), appCount: appCount ?? 0, size, isByod },
    ...(isUnclear && { isUnclear }),
    ...lackOf(store),
  };
}

function lackOf({ comment }: Pick<KvStore, 'comment'>): { lacksComment?: true } {
  return typeof comment === 'string' ? {} : { lacksComment: true };
}

function toTexts({ name, comment }: Pick<KvStore, 'name' | 'comment'>): KvStoreTexts {
  return {
    name: cutText(name, MAX_NAME_BYTES),
    comment: cutText(comment ?? '', MAX_COMMENT_BYTES),
  };
}
