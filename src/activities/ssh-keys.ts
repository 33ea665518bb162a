import type { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';

import { paths } from '../contract/wire/paths.js';
import { createListWalk, LIST_PAGE, MOST_PAGES } from '../contract/wire/list-walk.js';
import { sshKeyListSchema, sshKeySchema, type SshKey } from '../contract/api/storage.js';
import { FailureType } from '../engine/core/failures.js';
import { firstThatFit } from '../engine/core/text.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { beforeSending } from '../engine/activities/before-sending.js';
import { removalOf } from '../engine/activities/run-of-activity.js';
import { notSentFailure } from '../engine/activities/registered-activities.js';
import type { StartedRemoval } from '../engine/core/tasks.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { toApplicationFailure } from '../engine/http/describe-failure.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { getOne, getPage, makeAtOnce } from './cloud-calls.js';
import { readStoragesOfKey } from './storages-of-key.js';
import { mayBeNamed } from '../contract/wire/stored-form.js';

/** A key in the result of a run: the documented fields of the API, and no other that it may send. */
export interface SshKeyView {
  id: number;
  name: string;
  publicKey: string;
  createdAt: string;
}

export interface SshKeyPageInput {
  offset: number;
  /** Maximum number of rows; 1 to 1000. */
  limit: number;
  /** Part of the name. */
  name?: string;
}

export interface SshKeyPage {
  /** In the order of the API; fewer than `limit` also when the page would be too large for a history. */
  keys: SshKeyView[];
  /** Number of keys on all pages, by the API. */
  count: number;
}

export interface WantedSshKey extends Pick<SshKeyView, 'name' | 'publicKey'> {
  /** Of one that counts whatever its name is. */
  keyId?: number | undefined;
}

/** A key that has a name, or whose name a store may have made of it. */
export interface NamedSshKey extends Pick<SshKeyView, 'id' | 'name'> {
  /** `similar`: the public key under another name, which may be the wanted one. `other`: the name with another public key. */
  fit: 'as asked' | 'similar' | 'other';
}

export interface NamedSshKeys {
  keys: NamedSshKey[];
}

/** Of one name. Several, or none: the name tells nothing. */
export interface KeysOfName {
  name: string;
  ids: number[];
}

export interface OneKey {
  keyId: number;
}

/** Temporal warns of payloads above 512 KiB. A page of ed25519 keys takes half of it; RSA keys need two pages. */
const MAX_BYTES = 500_000;

export function createSshKeyActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /**
       * One page of the SFTP keys, oldest first. `GET /storage/v4/ssh_keys`
       *
       * By default the API lists the newest first, so that each new key shifts all others, and 10 rows
       * per page.
       */
      async listSshKeyPage(input: SshKeyPageInput): Promise<SshKeyPage> {
        const { count, results } = await readPage(api, input);
        // The next page brings the rest.
        return { keys: firstThatFit(results.map(toView), MAX_BYTES), count };
      },
      /**
       * The keys with this name, or a similar one and this public key. `GET /storage/v4/ssh_keys`: its filter would leave out a
       * name that was stored in another form.
       */
      async findSshKeys(wanted: WantedSshKey): Promise<NamedSshKeys> {
        const rows = await withPatientReads(api, (reads) => walkKeys(reads, {}));
        const keys = rows.flatMap(({ id, name, public_key: publicKey }) => {
          const fit = fitOf({ id, name, publicKey }, wanted);
          return fit === undefined ? [] : [{ id, name, fit }];
        });
        return { keys: keys.slice(0, MAX_FOUND) };
      },
      /** The ids of the keys with exactly these names, by name. `GET /storage/v4/ssh_keys?name=` */
      listSshKeyIds: ({ names }: { names: readonly string[] }): Promise<KeysOfName[]> =>
        withPatientReads(api, async (reads) => {
          const found: KeysOfName[] = [];
          for (const name of names) found.push({ name, ids: await idsOf(reads, name) });
          return found;
        }),
      /** Fails as `NotFound` when it is gone. `GET /storage/v4/ssh_keys/{ssh_key_id}` */
      getSshKey: async ({ keyId }: OneKey): Promise<SshKeyView> =>
        toView(await getOne(api, paths.sshKey(keyId), sshKeySchema)),
      /** Whether the list of all has it. `GET /storage/v4/ssh_keys` */
      isSshKeyListed: ({ keyId }: OneKey): Promise<boolean> =>
        withPatientReads(api, async (reads) => {
          const keys = await walkKeys(reads, {});
          return keys.some(({ id }) => id === keyId);
        }),
    },
    mutations: {
      /** `POST /storage/v4/ssh_keys`. One attempt: see engine/send/change-once. */
      createSshKey: ({ name, publicKey }: Pick<SshKeyView, 'name' | 'publicKey'>) =>
        makeAtOnce(api, { path: paths.sshKeys(), body: { name, public_key: publicKey } }),
    },
    deletes: {
      /**
       * `DELETE /storage/v4/ssh_keys/{ssh_key_id}`. The API unlinks the key from every storage. Not sent when a storage has it:
       * one list that lacks the storage is no permission. `GET /storage/v4/sftp_storages`
       */
      async deleteSshKey({ keyId }: OneKey): Promise<StartedRemoval> {
        const users = await beforeSending(() => readStoragesOfKey(api, keyId, 'newest first'));
        if (users.length > 0) throw usedFailure(keyId, users);
        const call = {
          method: 'DELETE',
          path: paths.sshKey(keyId),
          response: z.unknown(),
        } as const;
        return removalOf(api.request({ ...call, repeatable: false }).then(() => []));
      },
    },
  } satisfies ActivityGroups;
}

function usedFailure(keyId: number, [storageId]: readonly number[]): ApplicationFailure {
  return notSentFailure(`SFTP storage ${storageId} has key ${keyId}`, {
    advice: 'Nothing to do: the run looks again.',
  });
}

function fitOf(
  { id, name, publicKey }: Pick<SshKeyView, 'id' | 'name' | 'publicKey'>,
  wanted: WantedSshKey,
): NamedSshKey['fit'] | undefined {
  const isName = name === wanted.name;
  if (keyOf(publicKey) !== keyOf(wanted.publicKey)) return isName ? 'other' : undefined;
  if (isName) return 'as asked';
  return id === wanted.keyId || mayBeNamed(wanted.name, name) ? 'similar' : undefined;
}

/** Without the comment behind it, which is no part of the key. */
function keyOf(publicKey: string): string {
  return publicKey.trim().split(/\s+/, 2).join(' ');
}

/** No more than a message names. */
const MAX_FOUND = 20;

function toView({ id, name, public_key, created_at }: SshKey): SshKeyView {
  return { id, name, publicKey: public_key, createdAt: created_at };
}

function readPage(reads: ApiClient, { offset, limit, name }: SshKeyPageInput) {
  const query = { offset, limit, order_by: 'created_at.asc', ...(name !== undefined && { name }) };
  return getPage(reads, paths.sshKeys(), { query, response: sshKeyListSchema });
}

/** The filter of the API matches a part of a name. Here the whole name counts. One list without it is not believed. */
async function idsOf(reads: ApiClient, name: string): Promise<number[]> {
  const isOne = (key: SshKey): boolean => key.name === name;
  const first = (await walkKeys(reads, { name })).filter(isOne);
  const keys = first.length > 0 ? first : (await walkKeys(reads, { name })).filter(isOne);
  return keys.map(({ id }) => id);
}

/** All pages. */
async function walkKeys(reads: ApiClient, filter: { name?: string }): Promise<readonly SshKey[]> {
  const walk = createListWalk<SshKey>(LIST_PAGE, ({ id }) => id);
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const offset = walk.offset();
    if (offset === undefined) return walk.rows();
    const { results: rows, count } = await readPage(reads, {
      offset,
      limit: LIST_PAGE,
      ...filter,
    });
    walk.take({ rows, count });
  }
  throw toApplicationFailure({
    type: FailureType.unexpectedResponse,
    message: `GET ${paths.sshKeys()} kept changing: ${MOST_PAGES} pages did not reach its end`,
    details: { method: 'GET', path: paths.sshKeys() },
  });
}
