import type { ApplicationFailure } from '@temporalio/common';

import { paths } from '../contract/wire/paths.js';
import {
  sftpStorageListSchema,
  sftpStorageSchema,
  type SftpStorage,
} from '../contract/api/storage.js';
import { isSameValue } from '../engine/core/values.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { beforeSending } from '../engine/activities/before-sending.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { readAllRows } from './cloud-list.js';
import type { OneKey } from './ssh-keys.js';
import { notSentFailure } from '../engine/activities/registered-activities.js';

/** What a run needs to know about an SFTP storage. */
export interface SftpStorageView {
  id: number;
  name: string;
  /** `creating`, `active`, `updating`, `deleting`, `deleted`, or what a newer API may add. */
  status: string;
  sshKeyIds: number[];
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
      /** Ids of the storages that have the key. `GET /storage/v4/sftp_storages` */
      async listStoragesOfKey({ keyId }: OneKey): Promise<number[]> {
        const query = { order_by: 'created_at.asc' };
        const list = { path: paths.sftpStorages(), query, response: sftpStorageListSchema };
        const storages = await withPatientReads(api, (reads) => readAllRows(reads, list));
        return storages.flatMap(({ id, ssh_key_ids: keys }) => (keys.includes(keyId) ? id : []));
      },
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

function changedFailure(storageId: number): ApplicationFailure {
  return notSentFailure(
    `somebody has changed the keys of SFTP storage ${storageId} since the run has read them`,
    { advice: 'Nothing to do: the run reads them again.' },
  );
}

function toView({ id, name, provisioning_status, ssh_key_ids }: SftpStorage): SftpStorageView {
  return { id, name, status: provisioning_status, sshKeyIds: ssh_key_ids };
}
