import type { PreparedRun } from '../../../engine/core/prepared-run.js';

export interface PreparedGrantSftpAccess extends PreparedRun {
  storageId: number;
  keyNames: string[];
  /** The most keys that a storage accepts. */
  mostKeys: number;
  onFailure: 'rollback' | 'keep';
  /** Project whose cloud keys are searched when a name is not among the SFTP keys. */
  projectId?: number;
  /** When an earlier run of this id was terminated: one of its calls may still be in flight. */
  cutShortAt?: number;
}
