import type { KvItem } from '../../../contract/api/kv-item.js';
import type { KvSource } from '../../../activities/kv/read-source.js';
import type { Chunk } from './plan-kv-chunks.js';

/** Keys that are read back in one activity. */
export interface Readback {
  source: KvSource;
  /** Indexes into the source; all when left out. */
  only?: number[];
}

/** Of each chunk: its first, its last and what lies evenly between. */
const SAMPLES_A_CHUNK = 3;
/** Of so many chunks, evenly spread. */
const SAMPLED_CHUNKS = 20;
/** Keys of inline items in one activity: each takes a call. */
const KEYS_AT_ONCE = 100;

/** Which keys are read back. What a key is to hold depends on all its items, so they go together. */
export function chooseReadback(chunks: readonly Chunk[], mode: 'sample' | 'all'): Readback[] {
  const chosen =
    mode === 'all'
      ? chunks
      : spread(chunks.length, SAMPLED_CHUNKS).flatMap((at) => chunks[at] ?? []);
  const inline = chunks.flatMap(({ source }) => ('items' in source ? source.items : []));
  if (inline.length > 0) return inlineReadbacks(inline, keysOf(chosen, mode));
  return chosen.map(({ source, count }) =>
    mode === 'all' ? { source } : { source, only: spread(count, SAMPLES_A_CHUNK) },
  );
}

function keysOf(chunks: readonly Chunk[], mode: 'sample' | 'all'): string[] {
  const keys = chunks.flatMap(({ source, count }) => {
    if (!('items' in source)) return [];
    const { items } = source;
    const picked =
      mode === 'all' ? items : spread(count, SAMPLES_A_CHUNK).flatMap((at) => items[at] ?? []);
    return picked.map(({ key }) => key);
  });
  return [...new Set(keys)];
}

function inlineReadbacks(items: readonly KvItem[], keys: readonly string[]): Readback[] {
  const readbacks: Readback[] = [];
  for (let first = 0; first < keys.length; first += KEYS_AT_ONCE) {
    const wanted = new Set(keys.slice(first, first + KEYS_AT_ONCE));
    readbacks.push({ source: { items: items.filter(({ key }) => wanted.has(key)) } });
  }
  return readbacks;
}

/** At most so many indexes below `length`, evenly spread; the first and the last are among them. */
export function spread(length: number, most: number): number[] {
  const count = Math.min(length, most);
  const indexes = Array.from({ length: count }, (_, at) =>
    count === 1 ? 0 : Math.round((at * (length - 1)) / (count - 1)),
  );
  return [...new Set(indexes)];
}
