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

/** Those of the asked videos that the API lists. A row of another id is none, and does not end the reading. */
export async function videosById(
  api: ApiClient,
  ids: readonly number[],
): Promise<Map<number, Video>> {
  const rows = await listVideos(api, { id: ids.join(',') }, (seen) =>
    ids.every((id) => seen.has(id)),
  );
  const asked = new Set(ids);
  return new Map(rows.filter(({ id }) => asked.has(id)).map((row) => [row.id, row]));
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
  let left = wanted;
  while (left.length > 0) {
    const shown = await videosById(api, left);
    if (shown.size === 0) break;
    for (const [id, video] of shown) found.set(id, video);
    left = left.filter((id) => !found.has(id));
  }
  const videos = wanted.flatMap((id) => found.get(id) ?? []);
  return { videos: videos.map((video) => detailsOf(video, fields)), missing: toRanges(left) };
}
