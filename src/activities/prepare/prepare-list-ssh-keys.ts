import {
  listSshKeysInputSchema,
  type ListSshKeysInput,
} from '../../contract/operations/list-ssh-keys.js';
import { parseInput } from '../../contract/parse-input.js';
import { commonDefaults } from './common-defaults.js';
import { invalidInput } from './invalid-input.js';
import type { PreparedRun, PrepareDeps } from './prepared-run.js';

export interface PreparedListSshKeys extends PreparedRun {
  name?: string;
}

export function createPrepareListSshKeys({ policy }: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    prepareListSshKeys(input: unknown): Promise<PreparedListSshKeys> {
      const parsed = parseInput<ListSshKeysInput>(listSshKeysInputSchema, input);
      if (!parsed.ok) throw invalidInput(parsed.faults);
      const { name } = parsed.value;
      return Promise.resolve({
        ...commonDefaults(parsed.value),
        ...(name === undefined ? {} : { name }),
        policy,
      });
    },
  };
}
