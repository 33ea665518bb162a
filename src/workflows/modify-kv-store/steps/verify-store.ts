import { TemporalFailure } from '@temporalio/workflow';

import { plural } from '../../../engine/core/text.js';
import type { KvReadback, KvReadbackResult, KvStoreView } from '../../../activities/kv-stores.js';
import type { Comparison } from '../../../activities/kv/judged-keys.js';
import { FailureType } from '../../../engine/core/failures.js';
import { StepState } from '../../../engine/core/status.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import { failure, failureTypeOf } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { lookUntilGraceEnds } from '../../../engine/wait/look-until.js';
import { chooseReadback, type Readback } from './choose-readback.js';
import type { Chunk, KvRun } from './plan-kv-chunks.js';
import type { Pushed } from './write-chunks.js';

/** The result of the read-back. */
export interface Verified {
  keys: number;
  unknown: Comparison['unknown'];
}

/** Reads keys back and compares them. The revision shows whether somebody else wrote meanwhile. */
export async function verifyStore(
  run: KvRun,
  step: StepRecorder,
  { chunks, pushed }: { chunks: readonly Chunk[]; pushed: Pushed },
): Promise<Verified> {
  const verified: Verified = { keys: 0, unknown: [] };
  const say = (state: StepState): void => {
    step.set(state, { note: `${plural(verified.keys, 'key is', 'keys are')} as requested` });
  };
  step.set(StepState.waiting);
  try {
    const readbacks = chooseReadback(chunks, run.prepared.verify);
    for (const readback of readbacks) {
      await run.controls.untilUnpaused();
      const thenStore = readback === readbacks.at(-1) && pushed.revision !== undefined;
      const comparison = await compareUntilSame(run, {
        ...readback,
        ...(thenStore && { thenStore }),
      });
      addComparison(verified, comparison);
      noteRevision(pushed, comparison.store);
      say(StepState.waiting);
    }
    say(StepState.verified);
    return verified;
  } catch (error) {
    if (error instanceof TemporalFailure) {
      const isDifferent = failureTypeOf(error) === FailureType.itemsFailed;
      const why = isDifferent ? 'the read-back differs' : 'not all of them were read back';
      step.set(StepState.failed, { note: `all items are written, but ${why}` });
    }
    throw error;
  }
}

/** A read may lag behind a write for a moment, so a difference is read again. */
async function compareUntilSame(
  run: KvRun,
  readback: Readback & Pick<KvReadback, 'thenStore'>,
): Promise<KvReadbackResult> {
  const until = Date.now() + run.prepared.policy.reconcileGraceMs;
  const name = 'the store to show what was written';
  return lookUntilGraceEnds(run, { name, until }, async (isLate) => {
    const comparison = await parkWhileBlocked(run, () =>
      run.api.longReads.compareKvChunk({ storeId: run.prepared.storeId, ...readback }),
    );
    if (comparison.differs === 0) return comparison;
    if (isLate) throw differenceFailure(comparison);
    return undefined;
  });
}

function differenceFailure({ differs, differing: named }: Comparison): Error {
  const [first] = named;
  return failure(
    FailureType.itemsFailed,
    `All items are written, but ${differs} of the keys that were read back differ from the request. For example, "${first?.key ?? ''}" ${first?.why ?? ''}.`,
    {
      advice: 'Find out who else writes into this store, then start again.',
      faults: named.map(({ key, why }) => ({ path: key, message: why })),
      written: 'all chunks are written; nothing is undone',
    },
  );
}

function addComparison(verified: Verified, { same, unknown }: Comparison): void {
  verified.keys += same;
  for (const { reason, keys } of unknown) {
    const row = verified.unknown.find((other) => other.reason === reason);
    if (row === undefined) verified.unknown.push({ reason, keys });
    else row.keys += keys;
  }
}

function noteRevision(pushed: Pushed, store: KvStoreView | undefined): void {
  const { revision: from } = pushed;
  const to = store?.revision;
  if (from === undefined || to === undefined) return;
  // Each lost answer stands for a call that may have been carried out since.
  const attempts = pushed.chunks.reduce((sum, chunk) => sum + chunk.attempts - 1, 0);
  pushed.revisions.push({ from, to, attempts, changes: 0 });
  pushed.revision = to;
}
