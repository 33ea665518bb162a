import { paths } from '../../contract/wire/paths.js';
import { videoListSchema, type Video } from '../../contract/api/video.js';
import type { ApiClient } from '../../engine/http/api-client.js';

const PAGE = 500;

/**
 * Reads pages until `isEnough`, or until a page is shorter than the one before or has nothing new: page
 * sizes are undocumented.
 */
export async function listVideos(
  api: ApiClient,
  query: Record<string, string | number>,
  isEnough: (seen: number) => boolean,
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
    if (isEnd || isEnough(seen.size)) return [...seen.values()];
    full = rows.length;
  }
}
