import {
  modifyKvStoreInputSchema,
  type ModifyKvStoreInput,
} from '../../contract/operations/modify-kv-store.js';
import { parseInput } from '../../contract/parse-input.js';
import { planChunks, type KvChunk } from '../kv/plan-chunks.js';
import { commonDefaults } from './common-defaults.js';
import { invalidInput } from './invalid-input.js';
import type { PreparedRun, PrepareDeps } from './prepared-run.js';

export interface PreparedModifyKvStore extends PreparedRun {
  storeId: number;
  force: boolean;
  allowIrreversible: boolean;
  verify: 'sample' | 'all';
  chunkItems: number;
  /** Of the items of the input; those of a manifest are known once it has been read. */
  chunks?: KvChunk[];
}

const CHUNK_ITEMS = 1_000;
const CHUNK_BYTES = 1_000_000;

export function createPrepareModifyKvStore({ policy }: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    prepareModifyKvStore(input: unknown): Promise<PreparedModifyKvStore> {
      const parsed = parseInput<ModifyKvStoreInput>(modifyKvStoreInputSchema, input);
      if (!parsed.ok) throw invalidInput(parsed.faults);
      const { storeId, items, force, allowIrreversible, verify } = parsed.value;
      const { chunkItems = CHUNK_ITEMS } = parsed.value;
      const limits = { mostItems: chunkItems, mostBytes: CHUNK_BYTES };
      return Promise.resolve({
        ...commonDefaults(parsed.value),
        storeId,
        force: force ?? false,
        allowIrreversible: allowIrreversible ?? false,
        verify: verify ?? 'sample',
        chunkItems,
        ...(items === undefined ? {} : { chunks: planChunks(items, limits) }),
        policy,
      });
    },
  };
}
