import { videoSchema, type Video } from '../../contract/api/streaming.js';
import type { VideoDetails } from '../../contract/video-details.js';
import { paths } from '../../contract/wire/paths.js';
import type { VideoField } from '../../contract/wire/videos.js';
import { chunksOf } from '../../engine/core/chunks.js';
import { fromRanges, toRanges } from '../../engine/core/number-ranges.js';
import type { ApiClient } from '../../engine/http/api-client.js';
import { getOne, unlessNotFound } from '../cloud-calls.js';
import { judgeVideo, type AwaitedState } from './judge-video.js';
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
  /** A read of each missing one by its id has said that it does not exist either. */
  isSure: boolean;
}

/** More missing videos than these are not read one by one. */
const MOST_READ_ALONE = 50;

/** They are part of the URL, which has room for about 8,000 characters. */
const MAX_IDS_PER_CALL = 500;

/** The listed videos by their ids, of 500 with each call. A row of another id does not end the reading: the API may ignore what it was asked. */
async function videosById(
  api: ApiClient,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Video>> {
  const byId = new Map<number, Video>();
  for (const some of chunksOf(ids, MAX_IDS_PER_CALL)) {
    const rows = await listVideos(api, { id: some.join(',') }, (seen) =>
      some.every((id) => seen.has(id)),
    );
    for (const row of rows) byId.set(row.id, row);
  }
  return byId;
}

/**
 * The listed videos, to judge how far they are. A failure ends the wait for a video for good, and a retry of the import makes it
 * again: so a video that shows one is read once more, and counts as the second answer shows it. One that this answer lacks is
 * missing: the next look tells.
 */
export async function readForVerdicts(
  api: ApiClient,
  ids: readonly number[],
  awaited: AwaitedState,
): Promise<ReadonlyMap<number, Video>> {
  const byId = await videosById(api, ids);
  const hasFailed = (id: number): boolean => {
    const video = byId.get(id);
    return video !== undefined && judgeVideo(video, awaited).kind === 'failed';
  };
  const failed = ids.filter(hasFailed);
  if (failed.length === 0) return byId;
  const others = [...byId].filter(([id]) => !hasFailed(id));
  return new Map([...others, ...(await videosById(api, failed))]);
}

/**
 * Reads videos by their ids. Nothing is cut here: an id is in the one list or in the other.
 *
 * A list may lack rows once: what it has not shown is asked for again, until that shows nothing more. A few that are missing
 * all the same are read by their ids.
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
  const unlisted = wanted.filter((id) => !found.has(id));
  const isSure = unlisted.length <= MOST_READ_ALONE;
  for (const id of isSure ? unlisted : []) {
    const video = await unlessNotFound(getOne(api, paths.video(id), videoSchema));
    if (video !== undefined) found.set(id, video);
  }
  return {
    isSure,
    videos: wanted.flatMap((id) => found.get(id) ?? []).map((video) => detailsOf(video, fields)),
    missing: toRanges(wanted.filter((id) => !found.has(id))),
  };
}
