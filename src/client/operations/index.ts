import type { Operation } from '../../contract/wire/names.js';
import type { Operations } from '../../contract/operations/index.js';
import { deleteInstance } from './delete-instance.js';
import { grantSftpAccess } from './grant-sftp-access.js';
import { importVideos } from './import-videos.js';
import { listSshKeys } from './list-ssh-keys.js';
import { modifyKvStore } from './modify-kv-store.js';
import type { CompletedWork, OperationDescriptor } from './operation-descriptor.js';
import { protectIp } from './protect-ip.js';
import { provisionInstance } from './provision-instance.js';

export type { CompletedWork } from './operation-descriptor.js';

type Descriptors = { readonly [O in Operation]: OperationDescriptor<O> };

const exactDescriptors = {
  provisionInstance,
  protectIp,
  modifyKvStore,
  importVideos,
  listSshKeys,
  grantSftpAccess,
  deleteInstance,
} as const satisfies Descriptors;

/** What the client and the command line know about each operation. */
export const OPERATIONS: Descriptors = exactDescriptors;

/** Operations whose requests need no id: it follows from the input. */
export type NamedByInput = {
  [O in Operation]: (typeof exactDescriptors)[O]['requestId'] extends 'from caller' ? never : O;
}[Operation];

export function isOperation(name: string | undefined): name is Operation {
  return name !== undefined && Object.hasOwn(OPERATIONS, name);
}

/** The request id of an input without one; `undefined` when the caller must name the request. */
export function requestIdFrom<O extends Operation>(
  operation: O,
  input: Operations[O]['input'],
): string | undefined {
  const { requestId } = OPERATIONS[operation];
  return requestId === 'from caller' ? undefined : requestId(input);
}

/** A result, together with the operation that it belongs to. */
export type OperationResult<O extends Operation = Operation> = {
  [P in O]: { operation: P; result: Operations[P]['result'] };
}[O];

/** What a run has done when a request to stop it came too late. */
export function completedWorkOf<O extends Operation>(end: OperationResult<O>): CompletedWork {
  return OPERATIONS[end.operation].completedWork(end.result);
}
