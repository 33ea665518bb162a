import { z } from 'zod';

import { sftpPasswordSchema } from '../contract/api/storage.js';
import { paths } from '../contract/wire/paths.js';
import { hasSecretRef, type SecretRef } from '../contract/wire/secret-ref.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { beforeSending } from '../engine/activities/before-sending.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { changeAtOnce, makeAtOnce } from './cloud-calls.js';
import { fillOne } from './secrets/fill-secrets.js';
import type { SecretSource } from './secrets/secret-source.js';

export interface CreateSftpStorageInput {
  name: string;
  location: string;
  password?: SecretRef | undefined;
  sshKeyIds?: number[] | undefined;
}

interface StorageDeps {
  api: ApiClient;
  secrets: SecretSource;
}

/** What makes a storage and sets its password. Each call makes one attempt: see engine/send/change-once. */
export function createSftpStorageChangeActivities({ api, secrets }: StorageDeps) {
  return {
    mutations: {
      /**
       * `POST /storage/v4/sftp_storages`. One attempt: see engine/send/change-once. The password is put in just before the
       * call, and its answer, which repeats it, goes nowhere.
       */
      async createSftpStorage({
        name,
        location,
        password,
        sshKeyIds = [],
      }: CreateSftpStorageInput) {
        const filled = await beforeSending(() => fillPassword(secrets, password));
        return makeAtOnce(api, {
          path: paths.sftpStorages(),
          body: { name, location_name: location, ssh_key_ids: sshKeyIds, ...filled.body },
          secrets: filled.secrets,
        });
      },
      /** Sets the password; the rest of the storage stays. `PATCH /storage/v4/sftp_storages/{storage_id}`. One attempt. */
      async setSftpPassword({ storageId, password }: { storageId: number; password: SecretRef }) {
        const filled = await beforeSending(() => fillPassword(secrets, password));
        const path = paths.sftpStorage(storageId);
        await changeAtOnce(api, { method: 'PATCH', path, ...filled });
        return {};
      },
    },
  } satisfies ActivityGroups;
}

interface PasswordBody {
  password_mode: 'set' | 'none';
  password?: string | SecretRef | undefined;
}

const PASSWORD_AS_SENT = {
  schema: z.object({
    password_mode: z.enum(['set', 'none']),
    password: sftpPasswordSchema.optional(),
  }),
  isSent: (body: PasswordBody): body is PasswordBody & { password?: string | undefined } =>
    !hasSecretRef(body),
};

async function fillPassword(source: SecretSource, password: SecretRef | undefined) {
  const value: PasswordBody =
    password === undefined ? { password_mode: 'none' } : { password_mode: 'set', password };
  const { sent: body, secrets: values } = await fillOne(
    source,
    { at: '', value },
    PASSWORD_AS_SENT,
  );
  return { body, secrets: () => ({ values }) };
}
