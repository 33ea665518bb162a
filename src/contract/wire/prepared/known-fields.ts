/** What `prepare…` returns, field by field: see `engine/core/known-fields.ts`. */
import type { Operation } from '../names.js';
import { RUN_FIELDS, SENDER_FIELDS, type FieldsOf } from '../../../engine/core/known-fields.js';
import type { DeleteTarget, PreparedDeleteInstance } from './delete-instance.js';
import type { PreparedGrantSftpAccess } from './grant-sftp-access.js';
import type { EarlierRuns, PreparedImportVideos } from './import-videos.js';
import type { PreparedListSshKeys } from './list-ssh-keys.js';
import type { PreparedModifyKvStore } from './modify-kv-store.js';
import type { PreparedMaker } from './prepared-maker.js';
import type { PreparedProtectIp } from './protect-ip.js';
import type { PreparedProvisionInstance } from './provision-instance.js';

const MAKER = {
  ...SENDER_FIELDS,
  projectId: true,
  regionId: true,
} as const satisfies FieldsOf<PreparedMaker>;

interface Prepared {
  provisionInstance: PreparedProvisionInstance;
  protectIp: PreparedProtectIp;
  modifyKvStore: PreparedModifyKvStore;
  importVideos: PreparedImportVideos;
  grantSftpAccess: PreparedGrantSftpAccess;
  deleteInstance: PreparedDeleteInstance;
  listSshKeys: PreparedListSshKeys;
}

/** What `prepare…` returns, by operation. */
export const PREPARED_FIELDS = {
  provisionInstance: {
    ...MAKER,
    waitFor: true,
    replaceBroken: true,
    alternatives: true,
    protect: true,
  },
  protectIp: {
    ...MAKER,
    address: true,
    profile: true,
    profileId: true,
    active: true,
    bgp: true,
    holdForMs: true,
  },
  modifyKvStore: {
    ...RUN_FIELDS,
    storeId: true,
    force: true,
    allowIrreversible: true,
    verify: true,
    chunkItems: true,
    chunks: true,
  },
  importVideos: {
    ...SENDER_FIELDS,
    waitFor: true,
    tolerate: true,
    canary: true,
    inline: { batches: true, digest: true },
    earlier: { since: true, digests: true } satisfies FieldsOf<EarlierRuns>,
  },
  grantSftpAccess: {
    ...RUN_FIELDS,
    storageId: true,
    keyNames: true,
    mostKeys: true,
    projectId: true,
    cutShortAt: true,
  },
  deleteInstance: {
    ...RUN_FIELDS,
    projectId: true,
    regionId: true,
    target: {
      instanceId: true,
      madeBy: true,
      marker: true,
      namespaceId: true,
    } satisfies FieldsOf<DeleteTarget>,
    volumes: true,
    floatingIps: true,
  },
  listSshKeys: { ...RUN_FIELDS, name: true },
} as const satisfies { [O in Operation]: FieldsOf<Prepared[O]> };
