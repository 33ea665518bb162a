import { Operation } from '../../contract/wire/names.js';
import { modifyKvStoreInputSchema } from '../../contract/operations/modify-kv-store.js';
import type { ModifyKvStoreInput } from '../../contract/operations/types.js';
import { checkChunkCount, planChunks } from '../kv/plan-chunks.js';
import type { FirstEvent } from '../../engine/core/prepared-run.js';
import { checkInput, earlierCutShort } from './check-input.js';
import { commonDefaults, refusePlaintextSecrets } from './common-defaults.js';
import type { PreparedModifyKvStore } from '../../contract/wire/prepared.js';
import type { PrepareDeps } from './prepare-deps.js';

const CHUNK_ITEMS = 1_000;
const CHUNK_BYTES = 1_000_000;

export function createPrepareModifyKvStore(deps: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    async prepareModifyKvStore(input: unknown, first?: FirstEvent): Promise<PreparedModifyKvStore> {
      const value = checkInput<ModifyKvStoreInput>(modifyKvStoreInputSchema, input, deps);
      await refusePlaintextSecrets(Operation.modifyKvStore, value, deps);
      const { storeId, items, force, allowIrreversible, verify } = value;
      const { chunkItems = CHUNK_ITEMS } = value;
      const limits = { maxItems: chunkItems, maxBytes: CHUNK_BYTES };
      const chunks = items === undefined ? undefined : planChunks(items, limits);
      if (items !== undefined && chunks !== undefined) {
        checkChunkCount({ chunks: chunks.length, items: items.length, chunkItems });
      }
      return {
        ...commonDefaults(value, deps),
        storeId,
        force: force ?? false,
        allowIrreversible: allowIrreversible ?? false,
        verify: verify ?? 'sample',
        chunkItems,
        ...(chunks === undefined ? {} : { chunks }),
        ...(await earlierCutShort(deps, first)),
        policy: deps.policy,
      };
    },
  };
}
