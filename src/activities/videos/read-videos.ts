import type { Video } from '../../contract/api/streaming.js';
import type { VideoDetails } from '../../contract/video-details.js';
import type { VideoField } from '../../contract/wire/videos.js';
import { fromRanges, toRanges } from '../../engine/core/number-ranges.js';
import type { ApiClient } from '../../engine/http/api-client.js';
import { listVideos } from './polled-videos.js';
import { detailsOf } from './video-details.js';

export interface ReadVideosInput {
  ids: string;
  fields: readonly VideoField[];
}

export interface ReadVideos {
  /** In the order in which they were asked for. */
  videos: VideoDetails[];
  /** Ids that the API does not list. */
  missing: string;
}

/** The listed videos by their ids. A row of another id does not end the reading: the API may ignore what it was asked. */
export async function videosById(
  api: ApiClient,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Video>> {
  const rows = await listVideos(api, { id: ids.join(',') }, (seen) =>
    ids.every((id) => seen.has(id)),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Reads videos by their ids. Nothing is cut here: an id is in the one list or in the other.
 *
 * When a video is deleted meanwhile, those behind it move to a page that was read before. So what the pages have not shown
 * is asked for again, until that shows nothing more.
 */
export async function readVideosById(
  api: ApiClient,
  { ids, fields }: ReadVideosInput,
): Promise<ReadVideos> {
  const wanted = [...fromRanges(ids)];
  const found = new Map<number, Video>();
  for (let left = wanted; left.length > 0;) {
    const shown = await videosById(api, left);
    const missing = left.filter((id) => !shown.has(id));
    if (missing.length === left.length) break;
    for (const [id, video] of shown) found.set(id, video);
    left = missing;
  }
  return {
    videos: wanted.flatMap((id) => found.get(id) ?? []).map((video) => detailsOf(video, fields)),
    missing: toRanges(wanted.filter((id) => !found.has(id))),
  };
}
