import { listSshKeysResultSchema } from '../../../../src/contract/operations/list-ssh-keys.js';
import { Phase } from '../../../../src/contract/status.js';
import { KEYS_PATH, manyKeys, stateWithKeys } from '../../../support/worlds/ssh-keys.js';
import type { MatrixOperation } from './matrix-operation.js';

/** Three pages. */
const COUNT = 2_500;

export const listSshKeys: MatrixOperation = {
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
