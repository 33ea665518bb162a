import { CLIENT_ID } from '../state/catalog.js';
import type { VideoEntity } from '../state/rows.js';
import {
  durationMsOf,
  FETCHED_SHARE,
  progressOf,
  type VideoStatus,
  videoStatus,
} from '../state/videos.js';
import type { World } from '../state/world.js';
import { bitrateOf, bytesOf, formatRenditions, widthOf } from './format-renditions.js';

const HOST = 'https://videos.example';
const PLAYER = 'https://player.example';
const PICTURES = 'https://pictures.example';

/** The recording of a stream is kept so long. */
const KEPT_RECORDING_MS = 7 * 24 * 60 * 60 * 1000;
const MOST_SCREENSHOTS = 5;

export type VideoObject = ReturnType<typeof formatVideo>;

/** A video by itself. What comes of its file is `null` until it is there. */
export function formatVideo(world: World, video: Readonly<VideoEntity>) {
  const base = baseOf(video);
  const listed = formatListedVideo(world, video);
  const isShown = isPlayable(listed);
  return {
    ...listed,
    iframe_url: `${PLAYER}/videos/${CLIENT_ID}_${video.slug}`,
    sprite: isShown ? `${base}/sprite.jpg` : null,
    sprite_vtt: isShown ? `${base}/sprite.vtt` : null,
  };
}

/** A video in a list. */
export function formatListedVideo(world: World, video: Readonly<VideoEntity>) {
  const state = videoStatus(world, video);
  const base = baseOf(video);
  const isShown = isPlayable(state);
  return {
    ...formatTexts(video),
    ...state,
    ...formatOrigin(world, video, { ...state, base }),
    ...formatPictures(video, isShown),
    hls_url: isShown ? `${base}/master.m3u8` : null,
    hls_cmaf_url: isShown ? `${base}/master-cmaf.m3u8` : null,
    dash_url: isShown ? `${base}/master.mpd` : null,
    converted_videos: formatRenditions(video, { ...state, base, share: progressOf(world, video) }),
    views: 0,
    cdn_views: 0,
  };
}

function baseOf({ slug }: Readonly<VideoEntity>): string {
  return `${HOST}/videos/${CLIENT_ID}_${slug}`;
}

function isPlayable({ status }: Pick<VideoStatus, 'status'>): boolean {
  return status === 'viewable' || status === 'ready';
}

function formatTexts(video: Readonly<VideoEntity>) {
  return {
    id: Number(video.id),
    name: video.name,
    description: video.description,
    client_id: CLIENT_ID,
    client_user_id: video.clientUserId,
    slug: video.slug,
    created_at: new Date(video.createdAt).toISOString(),
    updated_at: new Date(video.changedAt ?? video.createdAt).toISOString(),
    priority: video.priority,
    quality_set_id: video.qualitySetId,
    directory_id: video.directoryId,
    projection: video.projection,
    share_url: video.shareUrl,
    custom_iframe_url: video.customIframeUrl,
    ad_id: video.adId,
    stream_id: video.streamId,
    record_type: video.recordType,
    recording_started_at: toTime(video.recordingStartedAt),
    clip_start_seconds: video.clipStartSeconds,
    clip_duration_seconds: video.clipDurationSeconds,
  };
}

interface Shown {
  status: VideoStatus['status'];
  base: string;
}

function formatOrigin(world: World, video: Readonly<VideoEntity>, { status, base }: Shown) {
  const isFetched = status !== 'empty' && status !== 'new';
  const { durationMs, height } = video.origin;
  return {
    origin_url: video.streamId === null ? video.originUrl : recordingOf(world, video, base),
    origin_size: isFetched ? bytesOf(height, durationMs) : null,
    origin_video_duration: isFetched ? durationMs : null,
    origin_width: isFetched ? widthOf(height) : null,
    origin_height: isFetched ? height : null,
    duration: isFetched ? durationMsOf(video) : null,
  };
}

/** The recording of a stream, from the end of `new` on. */
function recordingOf(world: World, video: Readonly<VideoEntity>, base: string): string | null {
  const beganAt = video.beganAt ?? video.createdAt;
  const fetchedAt = beganAt + (video.endsAt - beganAt) * FETCHED_SHARE;
  const isKept = world.now() >= fetchedAt && world.now() < fetchedAt + KEPT_RECORDING_MS;
  const { height } = video.origin;
  return isKept ? `${base}/origin_${bitrateOf(height)}_${height}.mp4` : null;
}

function formatPictures(video: Readonly<VideoEntity>, isShown: boolean) {
  const store = `${PICTURES}/posters/video/${video.id}`;
  const poster = video.poster === null ? null : `${store}/${video.poster}`;
  const screenshots = isShown ? screenshotsOf(video) : [];
  return {
    poster,
    // 200 pixels high.
    poster_thumb: video.poster === null ? null : `${store}/thumb_${video.poster}`,
    screenshots,
    screenshot_id: video.screenshotId,
    screenshot: (video.screenshotId === -1 ? poster : screenshots[video.screenshotId]) ?? null,
  };
}

/** Five pictures; fewer of a video that is shorter than five seconds, because it has no five places. */
function screenshotsOf(video: Readonly<VideoEntity>): string[] {
  const count = Math.min(MOST_SCREENSHOTS, Math.ceil(durationMsOf(video) / 1000));
  return Array.from(
    { length: count },
    (_, index) => `${PICTURES}/screenshots/video/${video.id}/${index}.jpg`,
  );
}

function toTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
