import type { KvMember, SentKvItem } from '../../contract/api/fastedge.js';
import { badRequestError } from '../http/cloud-error.js';
import { bytesOf, findKvEntry, kvEntryId, sizeOf, type KvValue } from '../state/kv-entries.js';
import type { KvStoreEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

export interface WriteCounts {
  writes: number;
  deletes: number;
  bytes: number;
}

/** Writes one item; throws when the key has another datatype. */
export function writeKvItem(
  { world, store, force }: { world: World; store: Readonly<KvStoreEntity>; force: boolean },
  item: SentKvItem,
): WriteCounts {
  const entry = findKvEntry(world, store.id, item.key);
  if (item.op === 'del_key') {
    if (entry !== undefined) world.kvEntries.delete(entry.id);
    return { writes: 0, deletes: entry?.values.length ?? 0, bytes: 0 };
  }
  if (entry !== undefined && entry.datatype !== item.datatype && !force) {
    throw badRequestError(`key ${item.key} has the data type ${entry.datatype}`);
  }
  const before = entry?.datatype === item.datatype ? entry.values : [];
  const { values, counts } = changeValues(before, item);
  world.kvEntries.insert({
    id: kvEntryId(store.id, item.key),
    storeId: store.id,
    key: item.key,
    datatype: item.datatype,
    values,
    expiresAt: expiryOf(item),
  });
  return counts;
}

/** Overwrites the value of a plain key; adds, replaces or removes members of sets and filters. */
function changeValues(
  before: readonly KvValue[],
  item: SentKvItem,
): { values: KvValue[]; counts: WriteCounts } {
  const given = [item.payload ?? []].flat().map(toValue);
  const others = before.filter((value) => !given.some((member) => isSame(member, value)));
  if (item.op === 'del_entries') {
    const deletes = before.length - others.length;
    return { values: others, counts: { writes: 0, deletes, bytes: 0 } };
  }
  return {
    values: item.datatype === 'kv' ? given : [...others, ...given],
    counts: { writes: given.length, deletes: 0, bytes: sizeOf(given) },
  };
}

function expiryOf(item: SentKvItem): number | null {
  const expiry = item.datatype === 'kv' ? item.payload?.expiry : undefined;
  return expiry === undefined ? null : Date.parse(expiry);
}

function toValue({ value, encoding = 'plain', score }: KvMember): KvValue {
  return { value, encoding, score: score ?? null };
}

function isSame(a: KvValue, b: KvValue): boolean {
  return bytesOf(a).equals(bytesOf(b));
}
