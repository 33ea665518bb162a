import { plural } from '../../../engine/core/text.js';
import type { KvSource } from '../../../activities/kv/read-source.js';
import type { KvRange } from '../../../activities/kv-stores.js';
import type { PreparedModifyKvStore } from '../../../contract/wire/prepared.js';
import type { Manifest } from '../../../contract/manifest.js';
import type { ModifyKvStoreInput } from '../../../contract/operations/types.js';
import { hasSecretRef } from '../../../contract/wire/secret-ref.js';
import { StepState } from '../../../engine/core/status.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { Run } from '../../gcore.js';

export type KvRun = Run<PreparedModifyKvStore, ModifyKvStoreInput>;

/** The items that one call writes. */
export interface Chunk {
  source: KvSource;
  count: number;
  /** Its values may change between two attempts. */
  hasSecrets?: boolean;
  /** It writes a key of an earlier chunk again, so it must come after that chunk. */
  rewrites: boolean;
}

/** The chunks of the inline items, or of the manifest, which is read and checked as a whole. */
export async function planKvChunks(run: KvRun, step: StepRecorder): Promise<Chunk[]> {
  step.set(StepState.waiting);
  const chunks = inlineChunks(run) ?? (await manifestChunks(run));
  const items = chunks.reduce((sum, { count }) => sum + count, 0);
  step.set(StepState.verified, {
    note: `${plural(items, 'item')} in ${plural(chunks.length, 'chunk')}`,
  });
  return chunks;
}

/** `undefined` when the input names a manifest. */
export function inlineChunks({
  input: { items = [] },
  prepared,
}: Pick<KvRun, 'input' | 'prepared'>): Chunk[] | undefined {
  return prepared.chunks?.map(({ first, count, rewrites }) => {
    const own = items.slice(first, first + count);
    return { source: { items: own }, count, rewrites, hasSecrets: hasSecretRef(own) };
  });
}

/** An unreadable manifest blocks the run; a corrected input may name another one. */
function manifestChunks(run: KvRun): Promise<Chunk[]> {
  return parkWhileBlocked(run, async () => {
    const { manifest } = run.input;
    if (manifest === undefined) return inlineChunks(run) ?? [];
    const { allowIrreversible, chunkItems: mostItems } = run.prepared;
    const ranges = await run.api.longReads.scanKvManifest({
      manifest,
      allowIrreversible,
      mostItems,
    });
    return toChunks(manifest, ranges);
  });
}

export function toChunks(manifest: Manifest, ranges: readonly KvRange[]): Chunk[] {
  return ranges.map((range) => ({
    source: { manifest, range },
    count: range.count,
    rewrites: false,
    hasSecrets: range.hasSecrets === true,
  }));
}
