import { listSshKeysInputSchema } from '../../contract/operations/list-ssh-keys.js';
import type { ListSshKeysInput } from '../../contract/operations/types.js';
import { checkInput } from './check-input.js';
import { commonDefaults } from './common-defaults.js';
import type { PreparedListSshKeys } from '../../contract/wire/prepared.js';
import type { PrepareDeps } from './prepare-deps.js';

export function createPrepareListSshKeys(deps: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    prepareListSshKeys(input: unknown): Promise<PreparedListSshKeys> {
      const value = checkInput<ListSshKeysInput>(listSshKeysInputSchema, input, deps);
      const { name } = value;
      return Promise.resolve({
        ...commonDefaults(value, deps),
        ...(name === undefined ? {} : { name }),
        policy: deps.policy,
      });
    },
  };
}
