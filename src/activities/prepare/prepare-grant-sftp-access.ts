import { MOST_KEYS_PER_STORAGE } from '../../contract/api/sftp-storage.js';
import {
  grantSftpAccessInputSchema,
  type GrantSftpAccessInput,
} from '../../contract/operations/grant-sftp-access.js';
import { checkInput, earlierCutShort } from './check-input.js';
import { commonDefaults } from './common-defaults.js';
import type { PreparedRun, PrepareDeps } from './prepared-run.js';

export interface PreparedGrantSftpAccess extends PreparedRun {
  storageId: number;
  keyNames: string[];
  /** The most that a storage takes. */
  mostKeys: number;
  onFailure: 'rollback' | 'keep';
  /** Where the other registry of keys is looked at, if a name is not found in the right one. */
  projectId?: number;
  /** An earlier run of this id was terminated then: a call of it may still be on its way. */
  cutShortAt?: number;
}

export function createPrepareGrantSftpAccess(deps: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    async prepareGrantSftpAccess(input: unknown): Promise<PreparedGrantSftpAccess> {
      const value = checkInput<GrantSftpAccessInput>(grantSftpAccessInputSchema, input);
      const { storageId, keyNames, onFailure, projectId = deps.defaults.projectId } = value;
      return {
        ...commonDefaults(value),
        storageId,
        keyNames,
        mostKeys: MOST_KEYS_PER_STORAGE,
        onFailure: onFailure ?? 'rollback',
        ...(projectId === undefined ? {} : { projectId }),
        ...(await earlierCutShort(deps)),
        policy: deps.policy,
      };
    },
  };
}
