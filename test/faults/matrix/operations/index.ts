import { grantSftpAccess } from './grant-sftp-access.js';
import { listSshKeys } from './list-ssh-keys.js';
import type { MatrixOperation } from './matrix-operation.js';
import { provisionInstance } from './provision-instance.js';

/** Every operation belongs here. */
export const MATRIX_OPERATIONS: readonly MatrixOperation[] = [
  provisionInstance,
  listSshKeys,
  grantSftpAccess,
];
