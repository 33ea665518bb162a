import { Operation } from '../../contract/wire/names.js';
import type { ModifyKvStoreInput, ModifyKvStoreResult } from '../../contract/operations/types.js';
import type { Planned } from '../../engine/schema/documents.js';
import { restartOnCorrectedInput } from '../../engine/run/restart-on-corrected-input.js';
import { admitEarlier } from '../../engine/send/name-earlier.js';
import { planOrRun } from '../gcore.js';
import { prepareActivities } from '../shared/prepare-activities.js';
import { planModifyKvStore } from './plan/plan-modify-kv-store.js';
import { findForeignWrites } from './steps/find-foreign-writes.js';
import { planKvChunks, type KvRun } from './steps/plan-kv-chunks.js';
import { takeStoreTurn } from './steps/take-store-turn.js';
import { verifyStore, type Verified } from './steps/verify-store.js';
import { writeChunks, type Pushed } from './steps/write-chunks.js';

const PLAN = 'check items';
const TURN = 'take turn';
const WRITE = 'write items';
const VERIFY = 'verify items';

/**
 * Writes items into a KV store, chunk by chunk, and reads a sample of them back (`verify: 'all'`: every
 * item).
 *
 * Writers of one store take turns. An interrupted run continues with its current chunk. A new run of the
 * request writes all chunks again, which leads to the same content. After a lost answer it sends the
 * chunk again. A failed or cancelled run undoes nothing; its failure says what is written.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need
 * a person (`Unauthorized`, `ManifestUnreadable`); with `onBlocked: 'fail'` it fails instead.
 * With `planOnly` it sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `ItemsFailed` (a read-back differs),
 * `DeadlineExceeded` or `Aborted`.
 */
export async function modifyKvStore(
  input: ModifyKvStoreInput,
): Promise<ModifyKvStoreResult | Planned> {
  return planOrRun(
    {
      operation: Operation.modifyKvStore,
      steps: [PLAN, TURN, WRITE, VERIFY],
      creatingStep: WRITE,
      input,
      prepare: prepareActivities.prepareModifyKvStore,
      plan: planModifyKvStore,
    },
    async (run) => {
      admitEarlier(run, run.ledger.step(WRITE));
      const ready = await prepareWrite(run);
      const pushed = await writeChunks(run, ready);
      const step = await run.begin(VERIFY);
      const verified = await verifyStore(run, step, { chunks: ready.chunks, pushed });
      return toResult(run, pushed, verified);
    },
  );
}

function prepareWrite(run: KvRun) {
  return restartOnCorrectedInput(run, async () => {
    const chunks = await planKvChunks(run, await run.begin(PLAN));
    await takeStoreTurn(run, await run.begin(TURN));
    return { chunks, step: await run.begin(WRITE) };
  });
}

function toResult({ prepared }: KvRun, pushed: Pushed, verified: Verified): ModifyKvStoreResult {
  const { chunks, storeSize, revision, revisions } = pushed;
  const sum = (field: 'items' | 'writeCount' | 'delCount' | 'writeSize') =>
    chunks.reduce((total, chunk) => total + chunk[field], 0);
  return {
    storeId: prepared.storeId,
    items: sum('items'),
    writeCount: sum('writeCount'),
    delCount: sum('delCount'),
    writeSize: sum('writeSize'),
    storeSize,
    ...(revision === undefined ? {} : { revision }),
    chunks,
    foreignWrites: findForeignWrites(revisions),
    verified: { mode: prepared.verify, keys: verified.keys },
    unverified: verified.unknown,
  };
}
