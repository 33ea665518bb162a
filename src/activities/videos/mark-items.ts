import { createHash } from 'node:crypto';

import type { VideoItem } from '../../contract/api/video-item.js';
import type { ManifestItem } from '../manifest/create-manifest-reader.js';

/** An item and what finds its video again. */
export interface MarkedItem extends ManifestItem<VideoItem> {
  /** Value of `client_user_id`: ours, or the caller's own. */
  marker: number;
  /** False where the caller has given one: other videos may have it too. */
  isOurs: boolean;
}

/** Thirty bits: the range that the API takes is documented nowhere, and every integer has these. */
const LEAST = 2 ** 30;

/**
 * Marks the items of one batch. A lost answer leaves nothing else to go by: names are not unique.
 * All items of a batch have one marker, so that one list call finds them, and are told apart by name
 * and origin; items that are equal in both have another marker each. A value of the caller is kept.
 *
 * @param batch names the batch: the same in every try of a run.
 */
export function markItems(items: readonly ManifestItem<VideoItem>[], batch: string): MarkedItem[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const own = item.value.client_user_id;
    if (own !== undefined) return { ...item, marker: own, isOurs: false };
    const key = keyOf(item.value);
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    return { ...item, marker: toMarker(`${batch}/${nth}`), isOurs: true };
  });
}

export function keyOf({
  name,
  origin_url: origin,
}: Pick<VideoItem, 'name' | 'origin_url'>): string {
  return JSON.stringify([name.trim(), origin ?? null]);
}

function toMarker(text: string): number {
  return LEAST + (createHash('sha256').update(text).digest().readUInt32BE(0) >>> 2);
}
