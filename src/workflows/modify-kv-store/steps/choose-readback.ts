import type { KvItem } from '../../../contract/api/fastedge.js';
import type { KvSource } from '../../../activities/kv/read-source.js';
import type { Chunk } from './plan-kv-chunks.js';

/** The keys that one activity reads back. */
export interface Readback {
  source: KvSource;
  /** Indexes into the source; all items when left out. */
  only?: number[];
}

/** The first item of a chunk, its last, and those evenly between. */
const SAMPLES_PER_CHUNK = 3;
/** Evenly spread. */
const MAX_SAMPLED_CHUNKS = 20;
/** Keys of inline items in one activity. Each takes a call. */
const KEYS_PER_READBACK = 100;

/** Chooses the keys to read back. All items of a key together say what it should hold. */
export function chooseReadback(chunks: readonly Chunk[], mode: 'sample' | 'all'): Readback[] {
  const chosen =
    mode === 'all'
      ? chunks
      : spreadIndexes(chunks.length, MAX_SAMPLED_CHUNKS).flatMap((at) => chunks[at] ?? []);
  const inline = chunks.flatMap(({ source }) => ('items' in source ? source.items : []));
  if (inline.length > 0) return inlineReadbacks(inline, keysOf(chosen, mode));
  return chosen.map(({ source, count }) =>
    mode === 'all' ? { source } : { source, only: spreadIndexes(count, SAMPLES_PER_CHUNK) },
  );
}

function keysOf(chunks: readonly Chunk[], mode: 'sample' | 'all'): string[] {
  const keys = chunks.flatMap(({ source, count }) => {
    if (!('items' in source)) return [];
    const { items } = source;
    const picked =
      mode === 'all'
        ? items
        : spreadIndexes(count, SAMPLES_PER_CHUNK).flatMap((at) => items[at] ?? []);
    return picked.map(({ key }) => key);
  });
  return [...new Set(keys)];
}

function inlineReadbacks(items: readonly KvItem[], keys: readonly string[]): Readback[] {
  const readbacks: Readback[] = [];
  for (let first = 0; first < keys.length; first += KEYS_PER_READBACK) {
    const wanted = new Set(keys.slice(first, first + KEYS_PER_READBACK));
    readbacks.push({ source: { items: items.filter(({ key }) => wanted.has(key)) } });
  }
  return readbacks;
}

/** At most `max` indexes below `length`, evenly spread, with the first and the last. */
export function spreadIndexes(length: number, max: number): number[] {
  const count = Math.min(length, max);
  const indexes = Array.from({ length: count }, (_, at) =>
    count === 1 ? 0 : Math.round((at * (length - 1)) / (count - 1)),
  );
  return [...new Set(indexes)];
}
