import type { FoundDatatype } from '../../../activities/kv/find-datatypes.js';
import type { KvItem } from '../../../contract/api/fastedge.js';
import type { Chunk } from '../steps/plan-kv-chunks.js';
import { spreadIndexes, chooseReadback, type Readback } from '../steps/choose-readback.js';

/** An item that writes a key with another datatype than the key has by then. */
export interface DatatypeClash {
  /** The place of the item: `items[3]` or `line 12`. */
  path: string;
  key: string;
  datatype: string;
  wanted: string;
}

/** Items whose key gets another datatype from an earlier item of the same list. */
export function clashesWithin(items: readonly KvItem[]): DatatypeClash[] {
  const datatypes = new Map<string, string>();
  return items.flatMap(({ key, op, datatype: wanted }, index) => {
    const datatype = datatypes.get(key);
    if (op === 'del_key') datatypes.delete(key);
    else datatypes.set(key, wanted);
    const isClash = op !== 'del_key' && datatype !== undefined && datatype !== wanted;
    return isClash ? [{ path: `items[${index}]`, key, datatype, wanted }] : [];
  });
}

/** Indexes of the first item of each key, where the present datatype matters. */
export function firstWrites(items: readonly KvItem[]): number[] {
  const seen = new Set<string>();
  return items.flatMap(({ key, op }, index) => {
    if (seen.has(key)) return [];
    seen.add(key);
    return op === 'del_key' ? [] : [index];
  });
}

/** Each key takes a call. */
const MAX_LOOKS = 100;

/** Keys to look at, and the places of their items. */
export interface KeySample {
  readback: Readback;
  pathOf: (line: number) => string;
}

export interface ChosenKeys {
  samples: KeySample[];
  /** False when the list has more keys than these. */
  isAll: boolean;
}

/** All keys of a short list; an evenly spread sample of a longer one. */
export function chooseKeys(chunks: readonly Chunk[]): ChosenKeys {
  const items = chunks.flatMap(({ source }) => ('items' in source ? source.items : []));
  if (items.length === 0) return ofManifest(chunks);
  const firsts = firstWrites(items);
  const chosen = spreadIndexes(firsts.length, MAX_LOOKS).flatMap((at) => firsts[at] ?? []);
  const readback = { source: { items: chosen.flatMap((index) => items[index] ?? []) } };
  const pathOf = (line: number): string => `items[${chosen[line - 1] ?? 0}]`;
  return {
    samples: chosen.length === 0 ? [] : [{ readback, pathOf }],
    isAll: chosen.length === firsts.length,
  };
}

function ofManifest(chunks: readonly Chunk[]): ChosenKeys {
  const isAll = chunks.reduce((sum, { count }) => sum + count, 0) <= MAX_LOOKS;
  const pathOf = (line: number): string => `line ${line}`;
  const readbacks = chooseReadback(chunks, isAll ? 'all' : 'sample');
  return { samples: readbacks.map((readback) => ({ readback, pathOf })), isAll };
}

/** Keys that exist with another datatype. */
export function clashesWithStore(
  found: readonly FoundDatatype[],
  pathOf: KeySample['pathOf'],
): DatatypeClash[] {
  return found
    .filter(({ datatype, wanted }) => datatype !== wanted)
    .map(({ line, ...clash }) => ({ path: pathOf(line), ...clash }));
}

export function countKeys({ source, only }: Readback): number {
  if (only !== undefined) return only.length;
  return 'items' in source ? new Set(source.items.map(({ key }) => key)).size : source.range.count;
}
