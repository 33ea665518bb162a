import { MAX_KEYS_PER_STORAGE } from '../../contract/api/storage.js';
import { grantSftpAccessInputSchema } from '../../contract/operations/grant-sftp-access.js';
import type { GrantSftpAccessInput } from '../../contract/operations/types.js';
import { rulesOf } from './account-rules.js';
import { checkInput, earlierCutShort } from './check-input.js';
import type { FirstEvent } from '../../engine/core/prepared-run.js';
import { commonDefaults } from './common-defaults.js';
import type { PreparedGrantSftpAccess } from '../../contract/wire/prepared.js';
import type { PrepareDeps } from './prepare-deps.js';

export function createPrepareGrantSftpAccess(deps: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    async prepareGrantSftpAccess(
      input: unknown,
      first?: FirstEvent,
    ): Promise<PreparedGrantSftpAccess> {
      const value = checkInput<GrantSftpAccessInput>(grantSftpAccessInputSchema, input, deps);
      const { storageId, keyNames, onFailure } = value;
      const defaults = commonDefaults(value, deps);
      const { projectId = rulesOf(defaults.account, deps).projectId } = value;
      return {
        ...defaults,
        storageId,
        keyNames,
        mostKeys: MAX_KEYS_PER_STORAGE,
        onFailure: onFailure ?? 'rollback',
        ...(projectId === undefined ? {} : { projectId }),
        ...(await earlierCutShort(deps, first)),
        policy: deps.policy,
      };
    },
  };
}
