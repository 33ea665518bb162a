import type { FoundDatatype } from '../../../activities/kv/find-datatypes.js';
import type { KvItem } from '../../../contract/api/kv-item.js';
import type { Chunk } from '../steps/plan-kv-chunks.js';
import { spread, chooseReadback, type Readback } from '../steps/choose-readback.js';

/** A key that an item would write as something else than it is by then. */
export interface DatatypeClash {
  /** Where the item stands: `items[3]`, `line 12`. */
  path: string;
  key: string;
  datatype: string;
  wanted: string;
}

/** Items that an earlier item of the same list has made the key another datatype for. */
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

/** Indexes of the items that come first for their key, where it matters what the key is now. */
export function firstWrites(items: readonly KvItem[]): number[] {
  const seen = new Set<string>();
  return items.flatMap(({ key, op }, index) => {
    if (seen.has(key)) return [];
    seen.add(key);
    return op === 'del_key' ? [] : [index];
  });
}

/** A look takes a call for each key. */
const MAX_LOOKS = 100;

/** Keys of the list that are looked at, and where their items stand. */
export interface KeySample {
  readback: Readback;
  pathOf: (line: number) => string;
}

export interface ChosenKeys {
  samples: KeySample[];
  /** False: there are more keys than these. */
  isAll: boolean;
}

/** All keys of a short list; of a longer one some, evenly spread. */
export function chooseKeys(chunks: readonly Chunk[]): ChosenKeys {
  const items = chunks.flatMap(({ source }) => ('items' in source ? source.items : []));
  if (items.length === 0) return ofManifest(chunks);
  const firsts = firstWrites(items);
  const chosen = spread(firsts.length, MAX_LOOKS).flatMap((at) => firsts[at] ?? []);
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

/** Keys that are there as something else. */
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
