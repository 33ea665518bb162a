import {
  modifyKvStoreInputSchema,
  type ModifyKvStoreInput,
} from '../../contract/operations/modify-kv-store.js';
import { planChunks, type KvChunk } from '../kv/plan-chunks.js';
import { checkInput } from './check-input.js';
import { commonDefaults } from './common-defaults.js';
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
      const value = checkInput<ModifyKvStoreInput>(modifyKvStoreInputSchema, input);
      const { storeId, items, force, allowIrreversible, verify } = value;
      const { chunkItems = CHUNK_ITEMS } = value;
      const limits = { mostItems: chunkItems, mostBytes: CHUNK_BYTES };
      return Promise.resolve({
        ...commonDefaults(value),
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
