import { isChange, isMake } from '../../../src/contract/operations/index.js';
import { Operation } from '../../../src/contract/wire/names.js';
import { badInputsFrom, type BadInput } from '../inputs/bad-input.js';
import { deleteInstance } from './delete-instance.js';
import { grantSftpAccess } from './grant-sftp-access.js';
import { importVideos } from './import-videos.js';
import { TESTED_ACCOUNT_CHANGES } from './account-changes.js';
import { TESTED_CHANGES } from './changes.js';
import { listSshKeys } from './list-ssh-keys.js';
import { listVideos } from './list-videos.js';
import type { MatrixOperation } from './matrix-operation.js';
import { TESTED_MAKES } from './makes.js';
import { modifyKvStore } from './modify-kv-store.js';
import { protectIp } from './protect-ip.js';
import { provisionInstance } from './provision-instance.js';
import { removeProtection } from './remove-protection.js';
import { replaceInstance } from './replace-instance.js';
import { runBatch } from './run-batch.js';
import type { OperationCase, TestedOperation } from './tested-operation.js';

/** Tests that cover every operation read this record: plans, scaffolds, bad inputs, fault matrix. */
export const TESTED_OPERATIONS: { readonly [O in Operation]: TestedOperation<O> } = {
  provisionInstance,
  listSshKeys,
  listVideos,
  grantSftpAccess,
  protectIp,
  modifyKvStore,
  importVideos,
  deleteInstance,
  ...TESTED_CHANGES,
  ...TESTED_ACCOUNT_CHANGES,
  removeProtection,
  ...TESTED_MAKES,
  replaceInstance,
  runBatch,
};

const tested = Object.values(TESTED_OPERATIONS);
const disturbed = tested.filter(({ byOtherRuns = false }) => !byOtherRuns);

export const OPERATION_CASES: readonly OperationCase[] = disturbed.flatMap(
  ({ cases }): readonly OperationCase[] => cases,
);

export const MATRIX_OPERATIONS: readonly MatrixOperation[] = disturbed.map(({ matrix }) => matrix);

/** Those that follow from the schemas of operations that are one step, and those of an operation's own rules. */
export const BAD_INPUTS: readonly BadInput[] = [
  ...Object.values(Operation)
    .filter((operation) => isChange(operation) || isMake(operation))
    .flatMap(badInputsFrom),
  ...tested.flatMap(({ badInputs = [] }) => badInputs),
];
