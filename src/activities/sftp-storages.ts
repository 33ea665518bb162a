import type { ApplicationFailure } from '@temporalio/common';

import { paths } from '../contract/wire/paths.js';
import {
  sftpStorageListSchema,
  sftpStorageSchema,
  storageLocationListSchema,
  type SftpStorage,
} from '../contract/api/storage.js';
import { isSameValue } from '../engine/core/values.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { beforeSending } from '../engine/activities/before-sending.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { readAllRows } from './cloud-list.js';
import type { OneKey } from './ssh-keys.js';
import { readStoragesOfKey } from './storages-of-key.js';
import { notSentFailure } from '../engine/activities/registered-activities.js';

/** What a run needs to know about an SFTP storage. */
export interface SftpStorageView {
  id: number;
  name: string;
  /** `creating`, `active`, `updating`, `deleting`, `deleted`, or what a newer API may add. */
  status: string;
  sshKeyIds: number[];
  /** Missing where the API does not say it. */
  location?: string;
  hasPassword?: boolean;
}

/** The storages of one name: the API takes each name once. */
export interface NamedStorages {
  storages: SftpStorageView[];
  /** The names of the asked location; none where no new storage can be made there. */
  locationNames: string[];
  /** Where new storages can be made. */
  locations: string[];
}

export interface SftpStorageKeysInput {
  storageId: number;
  /** The whole list: the API replaces it. */
  sshKeyIds: number[];
  /** The list that it was made from. */
  seen: number[];
}

export function createSftpStorageActivities({ api }: { api: ApiClient }) {
  const readStorage = async (storageId: number): Promise<SftpStorageView> =>
    toView(
      await api.request({
        method: 'GET',
        path: paths.sftpStorage(storageId),
        response: sftpStorageSchema,
        repeatable: true,
      }),
    );
  return {
    reads: {
      /** `GET /storage/v4/sftp_storages/{storage_id}`. Fails as `NotFound` when it is gone. */
      getSftpStorage: ({ storageId }: { storageId: number }): Promise<SftpStorageView> =>
        readStorage(storageId),
      /** Whether the list of all has it, and it is not being deleted. `GET /storage/v4/sftp_storages` */
      isSftpStorageListed: ({ storageId }: { storageId: number }): Promise<boolean> =>
        withPatientReads(api, async (reads) => {
          const rows = await readAllRows(reads, {
            path: paths.sftpStorages(),
            query: { order_by: 'created_at.asc' },
            response: sftpStorageListSchema,
          });
          return rows.some(
            ({ id, provisioning_status: status }) => id === storageId && !/^delet/.test(status),
          );
        }),
      /**
       * The storages with exactly this name, and the location. `GET /storage/v4/sftp_storages?name=` finds parts of names,
       * and `GET /storage/v4/locations` lists where new storages can be made. The API's own example of a storage has
       * another name of its location than the call that made it.
       */
      findSftpStorages: ({ name, location }: { name: string; location: string }) =>
        withPatientReads(api, async (reads): Promise<NamedStorages> => {
          const rows = await readAllRows(reads, {
            path: paths.sftpStorages(),
            query: { order_by: 'created_at.asc', name },
            response: sftpStorageListSchema,
          });
          const locations = await readAllRows(reads, {
            path: paths.storageLocations(),
            query: { type: 'sftp', order_by: 'name.asc' },
            response: storageLocationListSchema,
          });
          const asked = locations.filter((row) => row.name === location);
          return {
            storages: rows.filter((row) => row.name === name).map(toView),
            locationNames: asked.flatMap((row) => [row.name, row.technical_name ?? row.name]),
            locations: locations.map((row) => row.name).slice(0, MAX_LOCATIONS),
          };
        }),
      /** Ids of the storages that have the key. `GET /storage/v4/sftp_storages` */
      listStoragesOfKey: ({ keyId }: OneKey): Promise<number[]> =>
        withPatientReads(api, (reads) => readStoragesOfKey(reads, keyId, 'oldest first')),
    },
    mutations: {
      /**
       * Replaces the list of keys; the rest of the storage stays. `PATCH /storage/v4/sftp_storages/…`
       *
       * One attempt, although the same list twice is the same list: the second call may arrive after
       * somebody has added a key to the first list. Not sent when the list is no longer the one that was
       * seen: the call may have waited for its turn. See engine/send/read-merge-write.
       */
      async setSftpStorageKeys(input: SftpStorageKeysInput): Promise<SftpStorageView> {
        const current = await beforeSending(() => readStorage(input.storageId));
        if (!isSameValue(current.sshKeyIds, input.seen)) throw changedFailure(input.storageId);
        return toView(
          await api.request({
            method: 'PATCH',
            path: paths.sftpStorage(input.storageId),
            body: { ssh_key_ids: input.sshKeyIds },
            response: sftpStorageSchema,
            repeatable: false,
          }),
        );
      },
    },
  } satisfies ActivityGroups;
}

/** For a message. */
const MAX_LOCATIONS = 50;

function changedFailure(storageId: number): ApplicationFailure {
  return notSentFailure(
    `somebody has changed the keys of SFTP storage ${storageId} since the run has read them`,
    { advice: 'Nothing to do: the run reads them again.' },
  );
}

function toView(storage: SftpStorage): SftpStorageView {
  const { id, name, provisioning_status: status, location_name: location } = storage;
  const { ssh_key_ids: sshKeyIds, has_password: hasPassword } = storage;
  return {
    id,
    name,
    status,
    sshKeyIds,
    ...(location !== undefined && { location }),
    ...(hasPassword !== undefined && { hasPassword }),
  };
}
