import { grantSftpAccess } from './grant-sftp-access.js';
import { importVideos } from './import-videos.js';
import { listSshKeys } from './list-ssh-keys.js';
import type { MatrixOperation } from './matrix-operation.js';
import { modifyKvStore } from './modify-kv-store.js';
import { protectIp } from './protect-ip.js';
import { provisionInstance } from './provision-instance.js';

/** Every operation belongs here. */
export const MATRIX_OPERATIONS: readonly MatrixOperation[] = [
  provisionInstance,
  listSshKeys,
  grantSftpAccess,
  protectIp,
  modifyKvStore,
  importVideos,
];
