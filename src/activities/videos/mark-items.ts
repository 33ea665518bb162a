import { createHash } from 'node:crypto';

import type { VideoItem } from '../../contract/api/streaming.js';
import { isSecretRef } from '../../contract/wire/secret-ref.js';
import type { ManifestItem } from '../manifest/create-manifest-reader.js';

/** An item with the marker that finds its video again. */
export interface MarkedItem extends ManifestItem<VideoItem> {
  /** Value of `client_user_id`: ours, or the one of the caller. */
  marker: number;
  /** False when the caller gave the value: other videos may have it too. */
  isOurs: boolean;
}

/** No origin of a caller, because it is no URL. */
const SECRET = 'secret';

/** Markers carry 30 bits and fit a signed 32-bit integer: the range of the API is undocumented. */
const MIN_MARKER = 2 ** 30;

/**
 * Marks the items of one batch. After a lost answer only the marker finds the videos: names are not
 * unique. All items of a batch have the same marker, so that one list call finds them; name and origin
 * tell them apart. Items with equal name and origin get different markers. So do items of equal name whose
 * origin is a secret: it may change, so marker and name alone have to tell them apart. A value of the caller
 * stays.
 *
 * @param batch name of the batch; the same in every try of a run.
 */
export function markItems(items: readonly ManifestItem<VideoItem>[], batch: string): MarkedItem[] {
  const seen = new Map<string, number>();
  const markerOf = createMarkers(batch);
  return items.map((item) => {
    const { name, client_user_id: own, origin_url: origin } = item.value;
    if (own !== undefined) return { ...item, marker: own, isOurs: false };
    const isSecret = isSecretRef(origin);
    const key = isSecret ? keyOf({ name, origin_url: SECRET }) : keyOf(item.value);
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    return { ...item, marker: markerOf(isSecret ? `${SECRET}/${nth}` : String(nth)), isOurs: true };
  });
}

function keyOf({ name, origin_url: origin }: Pick<VideoItem, 'name' | 'origin_url'>): string {
  return JSON.stringify([name.trim(), origin ?? null]);
}

/** Most items of a batch have the same. */
function createMarkers(batch: string): (name: string) => number {
  const known = new Map<string, number>();
  return (name) => {
    const marker = known.get(name) ?? toMarker(`${batch}/${name}`);
    known.set(name, marker);
    return marker;
  };
}

function toMarker(text: string): number {
  return MIN_MARKER + (createHash('sha256').update(text).digest().readUInt32BE(0) >>> 2);
}
