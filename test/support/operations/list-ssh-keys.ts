import { listSshKeysResultSchema } from '../../../src/contract/operations/list-ssh-keys.js';
import { Phase } from '../../../src/engine/core/status.js';
import { BAD_LIST_KEYS_INPUTS } from '../inputs/bad-inputs.js';
import { KEYS_PATH, manyKeys, stateWithKeys } from '../worlds/ssh-keys.js';
import type { MatrixOperation } from './matrix-operation.js';
import type { OperationCase, TestedOperation } from './tested-operation.js';

/** Fills three pages. */
const COUNT = 2_500;

const matrix: MatrixOperation = {
  operation: 'listSshKeys',
  calls: { verify: { method: 'GET', path: KEYS_PATH } },
  without: ['carried out late', 'list lag', 'task ERROR', 'task 404'],
  input: () => ({}),
  state: { sshKeys: stateWithKeys(manyKeys(COUNT)).sshKeys },
  judge: ({ status, result }) => ({
    differences: 0,
    isTrue:
      status.phase !== Phase.succeeded || listSshKeysResultSchema.parse(result).count === COUNT,
  }),
};

const plainCase: OperationCase<'listSshKeys'> = {
  operation: 'listSshKeys',
  makes: 0,
  // With three pages, the scaffolds meet a first, a middle and a last call.
  state: stateWithKeys(manyKeys(COUNT)),
  input: () => ({}),
};

export const listSshKeys: TestedOperation<'listSshKeys'> = {
  workflowId: 'list-ssh-keys/blue/audit-7',
  cases: [plainCase],
  matrix,
  histories: ['keys-listed'],
  badInputs: BAD_LIST_KEYS_INPUTS,
};
