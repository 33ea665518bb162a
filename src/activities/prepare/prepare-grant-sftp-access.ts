import { MOST_KEYS_PER_STORAGE } from '../../contract/api/sftp-storage.js';
import {
  grantSftpAccessInputSchema,
  type GrantSftpAccessInput,
} from '../../contract/operations/grant-sftp-access.js';
import { parseInput } from '../../contract/parse-input.js';
import { commonDefaults } from './common-defaults.js';
import { invalidInput } from './invalid-input.js';
import type { PreparedRun, PrepareDeps } from './prepared-run.js';
import { thisRun } from './this-run.js';

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

export function createPrepareGrantSftpAccess({ defaults, policy, cutShortAt }: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    async prepareGrantSftpAccess(input: unknown): Promise<PreparedGrantSftpAccess> {
      const parsed = parseInput<GrantSftpAccessInput>(grantSftpAccessInputSchema, input);
      if (!parsed.ok) throw invalidInput(parsed.faults);
      const { storageId, keyNames, onFailure, projectId = defaults.projectId } = parsed.value;
      const cutShort = await cutShortAt?.(thisRun().workflowId);
      return {
        ...commonDefaults(parsed.value),
        storageId,
        keyNames,
        mostKeys: MOST_KEYS_PER_STORAGE,
        onFailure: onFailure ?? 'rollback',
        ...(projectId === undefined ? {} : { projectId }),
        ...(cutShort === undefined ? {} : { cutShortAt: cutShort }),
        policy,
      };
    },
  };
}
