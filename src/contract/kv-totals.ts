import type { KvItem } from './api/kv-item.js';

/**
 * What a list of items is made of, as far as it matters before it is written.
 *
 * Free of zod, so workflow code may import its values.
 */
export interface KvTotals {
  items: number;
  /** Items that delete a key with all that it holds. */
  keysDeleted: number;
  /** Items that take entries out of a sorted set. */
  setsReduced: number;
  /** Values that go into bloom filters. */
  bloomValues: number;
  /** Values that the API never gives back. */
  maskedValues: number;
}

export function noKvItems(): KvTotals {
  return { items: 0, keysDeleted: 0, setsReduced: 0, bloomValues: 0, maskedValues: 0 };
}

export function countKvItem(totals: KvTotals, { op, datatype, payload }: KvItem): void {
  const values = [payload ?? []].flat();
  totals.items += 1;
  if (op === 'del_key') totals.keysDeleted += 1;
  if (op === 'del_entries') totals.setsReduced += 1;
  if (op === 'add' && datatype === 'bloom_filter') totals.bloomValues += values.length;
  totals.maskedValues += values.filter(({ encoding }) => encoding === 'masked').length;
}
