import type { z } from 'zod';

import type { Operation } from '../wire/names.js';
import type { Described } from './define-operation.js';
import { deleteInstance } from './delete-instance.js';
import { grantSftpAccess } from './grant-sftp-access.js';
import { importVideos } from './import-videos.js';
import { listSshKeys } from './list-ssh-keys.js';
import { modifyKvStore } from './modify-kv-store.js';
import { protectIp } from './protect-ip.js';
import { provisionInstance } from './provision-instance.js';
import { resizeInstance } from './resize-instance.js';
import { setInstancePower } from './set-instance-power.js';

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
export type { ResizeInstanceInput, ResizeInstanceResult } from './resize-instance.js';
export type { SetInstancePowerInput, SetInstancePowerResult } from './set-instance-power.js';

/** The definitions of all operations, by their Workflow Types. */
const DEFINITIONS = {
  provisionInstance,
  protectIp,
  modifyKvStore,
  importVideos,
  listSshKeys,
  grantSftpAccess,
  deleteInstance,
  resizeInstance,
  setInstancePower,
} as const satisfies Record<Operation, object>;
type Definitions = typeof DEFINITIONS;

/** The operations that are one step: what they prepare and their commands follow from their definitions. */
export type ChangeOperation = {
  [O in Operation]: Definitions[O] extends { command: DerivedCommand } ? O : never;
}[Operation];

export function isChange(operation: Operation): operation is ChangeOperation {
  return 'command' in DEFINITIONS[operation];
}

/** The command of an operation whose definition names it: its fields are the arguments, in this order. */
export interface DerivedCommand {
  readonly word: string;
  readonly arguments: readonly string[];
}

export const CHANGES: {
  readonly [O in ChangeOperation]: { readonly says: string; readonly command: DerivedCommand };
} = DEFINITIONS;

/** Input and Result of each operation, by its Workflow Type. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- an alias would show all results in each error
export interface Operations extends OperationTypes {}

type OperationTypes = {
  [O in Operation]: {
    input: z.infer<Definitions[O]['input']>;
    result: z.infer<Definitions[O]['result']>;
  };
};

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
export const operationSchemas: OperationSchemas = DEFINITIONS;

/** What the client and the command line know about each operation. */
export const OPERATIONS: {
  readonly [O in Operation]: Described<Operations[O]['input'], Operations[O]['result']>;
} = DEFINITIONS;

/** Operations whose requests need no id: it follows from the input. */
export type NamedByInput = {
  [O in Operation]: Definitions[O]['requestId'] extends 'from caller' ? never : O;
}[Operation];
