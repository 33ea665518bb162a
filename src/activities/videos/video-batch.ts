import type { ManifestItem, ManifestReader } from '../manifest/create-manifest-reader.js';
import type { ManifestRange } from '../manifest/scan-manifest.js';
import { markItems, type MarkedItem } from './mark-items.js';
import type { Matched } from './match-videos.js';
import { hasOrigin, videoItemSchema, type VideoItem } from '../../contract/api/streaming.js';
import type { Manifest } from '../../contract/manifest.js';
import type { VideoDetails } from '../../contract/video-details.js';
import { toRanges, fromRanges } from '../../engine/core/number-ranges.js';

/** What the API says about a video. */
export interface VideoText {
  class: string;
  text: string;
}

/** Ids of videos by what the API says about them. */
export interface TextGroups {
  add(said: VideoText, id: number): void;
  groups(): (VideoText & { ids: string })[];
}

/** Further texts become one for each class: the result has to fit into a history. */
const MAX_TEXTS = 50;
const OTHER_TEXTS = 'another reason';

export function createTextGroups(): TextGroups {
  const groups = new Map<string, VideoText & { ids: number[] }>();
  const idsOf = (said: VideoText): number[] => {
    const key = JSON.stringify([said.class, said.text]);
    const known = groups.get(key);
    if (known !== undefined) return known.ids;
    if (groups.size >= MAX_TEXTS && said.text !== OTHER_TEXTS) {
      return idsOf({ class: said.class, text: OTHER_TEXTS });
    }
    const ids: number[] = [];
    groups.set(key, { ...said, ids });
    return ids;
  };
  return {
    add(said, id) {
      idsOf(said).push(id);
    },
    groups: () => [...groups.values()].map(({ ids, ...said }) => ({ ...said, ids: toRanges(ids) })),
  };
}

/** The videos that one call creates. */
export interface VideoBatch {
  /** Unique to this batch of this run, and the same in every try. */
  name: string;
  items:
    | { kind: 'inline'; items: ManifestItem<VideoItem>[] }
    | { kind: 'manifest'; manifest: Manifest; range: ManifestRange };
  /** Only these lines of the batch; default all. */
  only?: string;
}

/** The lines that have a video, with its ids: numbers and ranges in the same order. */
export interface MadeVideos {
  lines: string;
  ids: string;
  /** Lines without an origin: their videos wait until somebody uploads a file. */
  uploads: string;
  /** What the answer said about them, as far as it was asked for. */
  details?: VideoDetails[];
}

/** Mark before filtering: the marker of an item must not depend on the other items that are sent. */
export async function readBatch(
  manifests: ManifestReader,
  { name, items, only }: VideoBatch,
  signal: AbortSignal,
): Promise<MarkedItem[]> {
  const all =
    items.kind === 'inline'
      ? items.items
      : await manifests.read(items.manifest, {
          schema: videoItemSchema,
          range: items.range,
          signal,
        });
  const marked = markItems(all, name);
  if (only === undefined) return marked;
  const lines = new Set(fromRanges(only));
  return marked.filter(({ line }) => lines.has(line));
}

export function toMade(found: Matched['found']): MadeVideos {
  const uploads = found.filter(({ item }) => !hasOrigin(item.value));
  return {
    lines: toRanges(found.map(({ item }) => item.line)),
    ids: toRanges(found.map(({ id }) => id)),
    uploads: toRanges(uploads.map(({ item }) => item.line)),
  };
}
