import type { VideoEntity } from '../state/rows.js';
import { videoStatus } from '../state/videos.js';
import type { World } from '../state/world.js';

export type VideoObject = ReturnType<typeof formatVideo>;

export function formatVideo(world: World, video: Readonly<VideoEntity>) {
  const { status, error } = videoStatus(world, video);
  return {
    id: Number(video.id),
    name: video.name,
    description: video.description,
    slug: video.slug,
    status,
    error,
    origin_url: video.originUrl,
    client_user_id: video.clientUserId,
    created_at: new Date(video.createdAt).toISOString(),
    updated_at: new Date(video.createdAt).toISOString(),
    duration: null,
    stream_id: null,
    screenshots: [],
    converted_videos: [],
    priority: 0,
  };
}
