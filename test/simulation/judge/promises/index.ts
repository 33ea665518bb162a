import { operationSchemas } from '../../../../src/contract/operations/index.js';
import { Operation } from '../../../../src/contract/wire/names.js';
import { ACCOUNT_PROMISES } from './accounts.js';
import { ADDRESS_PROMISES } from './addresses.js';
import { BULK_PROMISES } from './bulk.js';
import { deleteInstance } from './deletions.js';
import { INSTANCE_PROMISES } from './instances.js';
import type { InputOf, OperationPromise, ResultOf } from './promise.js';
import { VIDEO_PROMISES } from './videos.js';
import { VOLUME_PROMISES } from './volumes.js';

type Promises = { readonly [O in Operation]: OperationPromise<O> };

/** What each operation promises. A new one without its entry does not compile. */
export const PROMISES: Promises = {
  ...INSTANCE_PROMISES,
  deleteInstance,
  ...VOLUME_PROMISES,
  ...ADDRESS_PROMISES,
  ...ACCOUNT_PROMISES,
  ...VIDEO_PROMISES,
  ...BULK_PROMISES,
} satisfies Promises;

export function isOperation(name: string): name is Operation {
  return Object.hasOwn(Operation, name);
}

/** The input of a run, or nothing where it is none: such a run is refused before it does anything. */
export function inputAs<O extends Operation>(operation: O, input: unknown): InputOf<O> | undefined {
  const { success, data } = operationSchemas[operation].input.safeParse(input);
  return success ? data : undefined;
}

export function resultAs<O extends Operation>(
  operation: O,
  result: unknown,
): ResultOf<O> | undefined {
  const { success, data } = operationSchemas[operation].result.safeParse(result);
  return success ? data : undefined;
}
