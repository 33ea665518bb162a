import {
  classifyVideoError,
  judgeVideo,
  type AwaitedState,
  shownVideoError,
} from './judge-video.js';
import { createTextGroups, type VideoText } from './video-batch.js';
import { toDetails } from './video-details.js';
import { videoListSchema, type Video } from '../../contract/api/streaming.js';
import { paths } from '../../contract/wire/paths.js';
import type { VideoDetails } from '../../contract/video-details.js';
import type { VideoField } from '../../contract/wire/videos.js';
import { fromRanges, toRanges } from '../../engine/core/number-ranges.js';
import type { ApiClient } from '../../engine/http/api-client.js';

const PAGE = 500;

/**
 * Reads pages until `isEnough`, or until a page is shorter than the one before or has nothing new: page
 * sizes are undocumented.
 */
export async function listVideos(
  api: ApiClient,
  query: Record<string, string | number>,
  isEnough: (seen: ReadonlyMap<number, Video>) => boolean,
): Promise<Video[]> {
  const seen = new Map<number, Video>();
  let full = 0;
  for (let page = 1; ; page++) {
    const rows = await api.request({
      method: 'GET',
      path: paths.videos(),
      query: { ...query, per_page: PAGE, page },
      response: videoListSchema,
      isLarge: true,
      repeatable: true,
    });
    const known = seen.size;
    for (const row of rows) seen.set(row.id, row);
    const isEnd = seen.size === known || rows.length < full;
    if (isEnd || isEnough(seen)) return [...seen.values()];
    full = rows.length;
  }
}

/** The ids of one call by outcome; ids that are done are in no list. */
export interface PolledVideos {
  pending: string;
  /** Ids that the API does not list. */
  missing: string;
  failed: { class: string; text: string; ids: string }[];
  warned: { text: string; ids: string }[];
  /** Of those that are done or have failed, as far as they were asked for. */
  details?: VideoDetails[];
}

/** What to show of which videos, when their outcome is known. */
export interface ShownVideos {
  ids: string;
  fields: readonly VideoField[];
}

interface Asked {
  awaited: AwaitedState;
  isInline: boolean;
  show?: ShownVideos | undefined;
}

export function toPolled(
  wanted: readonly number[],
  byId: ReadonlyMap<number, Video>,
  { awaited, isInline, show = { ids: '', fields: [] } }: Asked,
): PolledVideos {
  const pending: number[] = [];
  const missing: number[] = [];
  const failed = createTextGroups();
  const warned = createTextGroups();
  const isShown = new Set(fromRanges(show.ids));
  const shown: Video[] = [];
  // The class comes from the whole text, of which only a part may be shown.
  const toShown = (said: string): VideoText => ({
    class: classifyVideoError(said),
    text: shownVideoError(said, { isInline }),
  });
  for (const id of wanted) {
    const video = byId.get(id);
    const verdict = video && judgeVideo(video, awaited);
    if (video && verdict?.kind !== 'pending' && isShown.has(id)) shown.push(video);
    if (verdict === undefined) missing.push(id);
    else if (verdict.kind === 'pending') pending.push(id);
    else if (verdict.kind === 'failed') failed.add(toShown(verdict.text), id);
    else if (verdict.warning !== undefined) warned.add(toShown(verdict.warning), id);
  }
  return {
    pending: toRanges(pending),
    missing: toRanges(missing),
    failed: failed.groups(),
    warned: warned.groups().map(({ text, ids }) => ({ text, ids })),
    ...toDetails(shown, show.fields),
  };
}
