import type { z } from 'zod';

import type { JoinRequest } from '../../engine/core/messages.js';
import type { Operation } from '../wire/names.js';
import type { ChangedKind } from './define-change.js';
import type { MadeKind } from './define-make.js';
import type { DerivedCommand } from './describe-step.js';
import type { Described } from './define-operation.js';
import { createSftpStorage } from './create-sftp-storage.js';
import { rotateSftpPassword } from './rotate-sftp-password.js';
import { addSubtitles } from './add-subtitles.js';
import { callApi } from './call-api.js';
import { deleteVideo } from './delete-video.js';
import { updateVideo } from './update-video.js';
import { createSshKey } from './create-ssh-key.js';
import { deleteSshKey } from './delete-ssh-key.js';
import { createKvStore } from './create-kv-store.js';
import { replaceKvStore } from './replace-kv-store.js';
import { deleteKvStore } from './delete-kv-store.js';
import { deleteInstance } from './delete-instance.js';
import { grantSftpAccess } from './grant-sftp-access.js';
import { importVideos } from './import-videos.js';
import { listSshKeys } from './list-ssh-keys.js';
import { listVideos } from './list-videos.js';
import { modifyKvStore } from './modify-kv-store.js';
import { protectIp } from './protect-ip.js';
import { provisionInstance } from './provision-instance.js';
import { removeProtection } from './remove-protection.js';
import { replaceInstance } from './replace-instance.js';
import { resizeInstance } from './resize-instance.js';
import { runBatch } from './run-batch.js';
import { extendVolume } from './extend-volume.js';
import { attachVolume } from './attach-volume.js';
import { detachVolume } from './detach-volume.js';
import { revertVolume } from './revert-volume.js';
import { moveFloatingIp } from './move-floating-ip.js';
import { createVolume } from './create-volume.js';
import { snapshotVolume } from './snapshot-volume.js';
import { setInstancePower } from './set-instance-power.js';
import type { Operations } from './types.js';

export { importReportSchema } from './import-videos.js';
export { batchReportSchema } from './run-batch.js';
export type * from './types.js';

/** The definitions of all operations, by their Workflow Types. */
const DEFINITIONS = {
  provisionInstance,
  protectIp,
  modifyKvStore,
  importVideos,
  listSshKeys,
  listVideos,
  grantSftpAccess,
  deleteInstance,
  resizeInstance,
  setInstancePower,
  extendVolume,
  attachVolume,
  detachVolume,
  revertVolume,
  removeProtection,
  moveFloatingIp,
  createVolume,
  snapshotVolume,
  createSshKey,
  deleteSshKey,
  createKvStore,
  replaceKvStore,
  deleteKvStore,
  createSftpStorage,
  rotateSftpPassword,
  deleteVideo,
  updateVideo,
  addSubtitles,
  replaceInstance,
  callApi,
  runBatch,
} as const satisfies Record<Operation, object>;
type Definitions = typeof DEFINITIONS;

/** The operations that are one step and change one thing. What they prepare follows from their definitions. */
export type ChangeOperation = {
  [O in Operation]: Definitions[O] extends { changes: ChangedKind } ? O : never;
}[Operation];

/** The same of those that make one thing. */
export type MakeOperation = {
  [O in Operation]: Definitions[O] extends { makes: MadeKind } ? O : never;
}[Operation];

/** The operations whose commands follow from their definitions. */
export type StepOperation = ChangeOperation | MakeOperation;

export function isChange(operation: Operation): operation is ChangeOperation {
  return 'changes' in DEFINITIONS[operation];
}

export function isMake(operation: Operation): operation is MakeOperation {
  return 'makes' in DEFINITIONS[operation];
}

/** The steps in a project and region. The others are in an account. */
export type PlacedOperation = {
  [O in StepOperation]: 'projectId' extends keyof Operations[O]['input'] ? O : never;
}[StepOperation];

export function isPlaced(operation: StepOperation): operation is PlacedOperation {
  return 'projectId' in DEFINITIONS[operation].input.shape;
}

export const CHANGES: {
  readonly [O in ChangeOperation]: { readonly changes: ChangedKind };
} = DEFINITIONS;

export const MAKES: {
  readonly [O in MakeOperation]: { readonly makes: MadeKind };
} = DEFINITIONS;

export const STEP_COMMANDS: {
  readonly [O in StepOperation]: { readonly says: string; readonly command: DerivedCommand };
} = DEFINITIONS;

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

/**
 * What a repeat asks of the open run that it joins; `undefined` when it need not ask. A batch asks the runs of its items in
 * turn, each as its own input says.
 */
export function joinRequestOf<O extends Operation>(
  operation: O,
  input: Operations[O]['input'],
): JoinRequest | undefined {
  if (!('operation' in input)) return OPERATIONS[operation].joinRequest?.(input);
  return OPERATIONS[input.operation].joinRequest === undefined ? undefined : {};
}

/** Whether a request that has succeeded may run again. A batch is repeated as the operation of its items. */
export function reuseOf<O extends Operation>(
  operation: O,
  input: Operations[O]['input'],
): 'ALLOW_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY' {
  return OPERATIONS['operation' in input ? input.operation : operation].reuse;
}
