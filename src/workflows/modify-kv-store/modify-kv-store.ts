import { proxyLocalActivities } from '@temporalio/workflow';

import type { createPrepareActivities } from '../../activities/prepare.js';
import { Operation } from '../../contract/names.js';
import type {
  ModifyKvStoreInput,
  ModifyKvStoreResult,
} from '../../contract/operations/modify-kv-store.js';
import type { Planned } from '../../contract/plan.js';
import { planOrRun } from '../engine/plan/plan-or-run.js';
import { planModifyKvStore } from './plan/plan-modify-kv-store.js';
import { findForeignWrites } from './steps/find-foreign-writes.js';
import { planKvChunks, type KvRun } from './steps/plan-kv-chunks.js';
import { takeStoreTurn } from './steps/take-store-turn.js';
import { verifyStore, type Verified } from './steps/verify-store.js';
import { writeChunks, type Pushed } from './steps/write-chunks.js';

const { prepareModifyKvStore } = proxyLocalActivities<ReturnType<typeof createPrepareActivities>>({
  startToCloseTimeout: '5 seconds',
});

const PLAN = 'check items';
const TURN = 'take turn';
const WRITE = 'write items';
const VERIFY = 'verify items';

/**
 * Writes items into a KV store, chunk by chunk, and reads a part of them back (`verify: 'all'`: each).
 *
 * Writers of one store take turns. An interrupted run goes on at its chunk; started again, it writes
 * all chunks again, which ends with the same content. A lost answer is met by sending the chunk
 * again. Nothing is undone when it fails or is cancelled: the failure says what is written. Answers
 * the query `status`. What a person has to mend (`Unauthorized`, `ManifestUnreadable`) blocks the
 * run, or fails it with `onBlocked: 'fail'`.
 * With `planOnly` nothing is sent: the result is a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `ItemsFailed` (what was read back differs),
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
      prepare: prepareModifyKvStore,
      plan: planModifyKvStore,
    },
    async (run) => {
      const ready = await getReady(run);
      const pushed = await writeChunks(run, ready);
      const step = await run.begin(VERIFY);
      const verified = await verifyStore(run, step, { chunks: ready.chunks, pushed });
      return toResult(run, pushed, verified);
    },
  );
}

/** Until the first call another input may be given: then all of this is done again. */
async function getReady(run: KvRun) {
  for (;;) {
    const { input } = run;
    const chunks = await planKvChunks(run, await run.begin(PLAN));
    const turn = await takeStoreTurn(run, await run.begin(TURN));
    const step = await run.begin(WRITE);
    if (run.input === input) return { chunks, turn, step };
    await turn.end();
  }
}

function toResult({ prepared }: KvRun, pushed: Pushed, verified: Verified): ModifyKvStoreResult {
  const { chunks, storeSize, revision, revisions } = pushed;
  const sum = (field: 'items' | 'writeCount' | 'delCount') =>
    chunks.reduce((total, chunk) => total + chunk[field], 0);
  return {
    storeId: prepared.storeId,
    items: sum('items'),
    writeCount: sum('writeCount'),
    delCount: sum('delCount'),
    storeSize,
    ...(revision === undefined ? {} : { revision }),
    chunks,
    foreignWrites: findForeignWrites(revisions),
    verified: { mode: prepared.verify, keys: verified.keys },
    unverified: verified.unknown,
  };
}
