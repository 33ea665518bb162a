import type { z } from 'zod';

import { Operation } from '../wire/names.js';
import {
  deleteInstanceInputSchema,
  deleteInstanceResultSchema,
  type DeleteInstanceInput,
  type DeleteInstanceResult,
} from './delete-instance.js';
import {
  grantSftpAccessInputSchema,
  grantSftpAccessResultSchema,
  type GrantSftpAccessInput,
  type GrantSftpAccessResult,
} from './grant-sftp-access.js';
import {
  importVideosInputSchema,
  importVideosResultSchema,
  type ImportVideosInput,
  type ImportVideosResult,
} from './import-videos.js';
import {
  listSshKeysInputSchema,
  listSshKeysResultSchema,
  type ListSshKeysInput,
  type ListSshKeysResult,
} from './list-ssh-keys.js';
import {
  modifyKvStoreInputSchema,
  modifyKvStoreResultSchema,
  type ModifyKvStoreInput,
  type ModifyKvStoreResult,
} from './modify-kv-store.js';
import {
  protectIpInputSchema,
  protectIpResultSchema,
  type ProtectIpInput,
  type ProtectIpResult,
} from './protect-ip.js';
import {
  provisionInstanceInputSchema,
  provisionInstanceResultSchema,
  type ProvisionInstanceInput,
  type ProvisionInstanceResult,
} from './provision-instance.js';

export {
  deleteInstanceInputSchema,
  deleteInstanceResultSchema,
  type DeleteInstanceInput,
  type DeleteInstanceResult,
} from './delete-instance.js';
export {
  grantSftpAccessInputSchema,
  grantSftpAccessResultSchema,
  type GrantSftpAccessInput,
  type GrantSftpAccessResult,
} from './grant-sftp-access.js';
export {
  importReportSchema,
  importVideosInputSchema,
  importVideosResultSchema,
  type ImportReport,
  type ImportVideosInput,
  type ImportVideosResult,
} from './import-videos.js';
export {
  listSshKeysInputSchema,
  listSshKeysResultSchema,
  type ListSshKeysInput,
  type ListSshKeysResult,
} from './list-ssh-keys.js';
export {
  modifyKvStoreInputSchema,
  modifyKvStoreResultSchema,
  type ModifyKvStoreInput,
  type ModifyKvStoreResult,
} from './modify-kv-store.js';
export {
  protectIpInputSchema,
  protectIpResultSchema,
  type ProtectIpInput,
  type ProtectIpResult,
} from './protect-ip.js';
export {
  provisionInstanceInputSchema,
  provisionInstanceResultSchema,
  type ProvisionInstanceInput,
  type ProvisionInstanceResult,
} from './provision-instance.js';

/** Input and Result of each operation, by its Workflow Type. */
export interface Operations {
  provisionInstance: { input: ProvisionInstanceInput; result: ProvisionInstanceResult };
  protectIp: { input: ProtectIpInput; result: ProtectIpResult };
  listSshKeys: { input: ListSshKeysInput; result: ListSshKeysResult };
  grantSftpAccess: { input: GrantSftpAccessInput; result: GrantSftpAccessResult };
  importVideos: { input: ImportVideosInput; result: ImportVideosResult };
  modifyKvStore: { input: ModifyKvStoreInput; result: ModifyKvStoreResult };
  deleteInstance: { input: DeleteInstanceInput; result: DeleteInstanceResult };
}

/** An operation as a child of another workflow. `planOnly` is excluded: it would return a `Planned`. */
export type WorkflowOf<O extends keyof Operations> = (
  input: Operations[O]['input'] & { planOnly?: false },
) => Promise<Operations[O]['result']>;

/** A map over the operations, so that an operation known only at run time keeps its types. */
type OperationSchemas = {
  readonly [O in Operation]: {
    readonly input: z.ZodType<Operations[O]['input']>;
    readonly result: z.ZodType<Operations[O]['result']>;
  };
};

/** The schemas behind `Operations`. */
export const operationSchemas: OperationSchemas = {
  [Operation.provisionInstance]: {
    input: provisionInstanceInputSchema,
    result: provisionInstanceResultSchema,
  },
  [Operation.protectIp]: {
    input: protectIpInputSchema,
    result: protectIpResultSchema,
  },
  [Operation.listSshKeys]: {
    input: listSshKeysInputSchema,
    result: listSshKeysResultSchema,
  },
  [Operation.grantSftpAccess]: {
    input: grantSftpAccessInputSchema,
    result: grantSftpAccessResultSchema,
  },
  [Operation.importVideos]: {
    input: importVideosInputSchema,
    result: importVideosResultSchema,
  },
  [Operation.modifyKvStore]: {
    input: modifyKvStoreInputSchema,
    result: modifyKvStoreResultSchema,
  },
  [Operation.deleteInstance]: {
    input: deleteInstanceInputSchema,
    result: deleteInstanceResultSchema,
  },
};
