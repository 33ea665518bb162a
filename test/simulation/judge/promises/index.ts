import type { Operation } from '../../../../src/contract/wire/names.js';
import { ACCOUNT_PROMISES } from './accounts.js';
import { ADDRESS_PROMISES } from './addresses.js';
import { BULK_PROMISES } from './bulk.js';
import { deleteInstance } from './deletions.js';
import { INSTANCE_PROMISES } from './instances.js';
import type { OperationPromise } from './promise.js';
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
