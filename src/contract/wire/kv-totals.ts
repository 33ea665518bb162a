import type { KvItem } from '../api/fastedge.js';
import { isSecretRef } from './secret-ref.js';

/**
 * Totals of a list of items that a plan or a prepared run shows before anything is written.
 */
export interface KvTotals {
  items: number;
  /** Items that delete a whole key. */
  keysDeleted: number;
  /** Items that remove entries from a sorted set. */
  setsReduced: number;
  /** Values that are added to bloom filters. */
  bloomValues: number;
  /** Values that the API never returns. */
  maskedValues: number;
  /** Secrets by name that are not masked; missing when there are none. */
  secretValues?: number;
}

export function emptyKvTotals(): KvTotals {
  return { items: 0, keysDeleted: 0, setsReduced: 0, bloomValues: 0, maskedValues: 0 };
}

export function countKvItem(totals: KvTotals, { op, datatype, payload }: KvItem): void {
  const values = [payload ?? []].flat();
  totals.items += 1;
  if (op === 'del_key') totals.keysDeleted += 1;
  if (op === 'del_entries') totals.setsReduced += 1;
  if (op === 'add' && datatype === 'bloom_filter') totals.bloomValues += values.length;
  totals.maskedValues += values.filter(({ encoding }) => encoding === 'masked').length;
  const secrets = values.filter(
    ({ value, encoding }) => isSecretRef(value) && encoding !== 'masked',
  );
  if (secrets.length > 0) totals.secretValues = (totals.secretValues ?? 0) + secrets.length;
}
