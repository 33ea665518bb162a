import type { VideoEntity } from './rows.js';
import { seededFraction } from './seeded-fraction.js';
import type { World } from './world.js';

type Fate = VideoEntity['fate'];

/** Shortest and longest seconds from the call to `ready`, at a time scale of 1. */
const DURATION_SECONDS = [20, 60] as const;
const MOST_PRIORITY = 10;

/** Error texts that the real service sets. */
const FATES: Record<Exclude<Fate, 'ready' | 'upload'>, string> = {
  // A video whose fetch failed stays `empty`. Only the text shows the failure.
  'not-found': 'The requested origin was not found',
  forbidden: 'Access to the origin is forbidden',
  reset: 'Connection reset by peer',
  broken: 'Encoding has failed',
  // The video stays `viewable` and never becomes `ready`.
  'no-space': 'The storage limit has been exceeded',
};

/** An origin URL chooses the fate of its video, such as `?simulate=broken`. */
const SIMULATE_PARAMETER = /[?&]simulate=([a-z-]+)/;

export function fateOf(world: World, originUrl: string | null | undefined, number: number): Fate {
  if (typeof originUrl !== 'string') return 'upload';
  const asked = SIMULATE_PARAMETER.exec(originUrl)?.[1];
  const names = Object.keys(FATES).filter((name): name is keyof typeof FATES => name in FATES);
  const known = names.find((name) => name === asked);
  if (known !== undefined) return known;
  const chance = seededFraction(world.seed + 1, number);
  if (chance >= world.videoFailureShare) return 'ready';
  return names[Math.floor((chance / world.videoFailureShare) * names.length)] ?? 'broken';
}

/** How long the processing takes, in milliseconds: a higher priority is sooner at its turn. */
export function processingMs(world: World, number: number, priority = 0): number {
  const [shortest, longest] = DURATION_SECONDS;
  const place = Math.max(0, seededFraction(world.seed, number) - priority / MOST_PRIORITY);
  return (shortest + (longest - shortest) * place) * 1000 * world.timeScale;
}

const ORIGIN_SECONDS = [30, 600] as const;
const ORIGIN_HEIGHTS = [720, 1080, 2160] as const;

/** What is found in the file of a new video. */
export function originOf(world: World, number: number): VideoEntity['origin'] {
  const [shortest, longest] = ORIGIN_SECONDS;
  const fraction = seededFraction(world.seed + 2, number);
  return {
    durationMs: Math.round((shortest + (longest - shortest) * fraction) * 1000),
    height: ORIGIN_HEIGHTS[Math.floor(fraction * ORIGIN_HEIGHTS.length)] ?? 720,
  };
}

/** Shares of the processing after which a video leaves these states. */
export const FETCHED_SHARE = 0.2;
export const TRANSCODED_SHARE = 0.6;

/** The share of its processing that is over. */
export function progressOf(world: World, video: Readonly<VideoEntity>): number {
  const beganAt = video.beganAt ?? video.createdAt;
  if (video.endsAt === beganAt) return 1;
  return Math.min(1, (world.now() - beganAt) / (video.endsAt - beganAt));
}

export interface VideoStatus {
  status: 'empty' | 'new' | 'pending' | 'viewable' | 'ready' | 'error';
  error: string | null;
}

/** `empty → pending → viewable → ready`, or a failure, which may keep one of the earlier statuses. */
export function videoStatus(world: World, video: Readonly<VideoEntity>): VideoStatus {
  const { fate, streamId } = video;
  const share = progressOf(world, video);
  // The recording of a stream is not called `empty` until its file is there.
  const first = streamId === null ? 'empty' : 'new';
  if (fate === 'upload' || share < FETCHED_SHARE) return { status: first, error: null };
  if (fate === 'ready') {
    if (share < TRANSCODED_SHARE) return { status: 'pending', error: null };
    return { status: share < 1 ? 'viewable' : 'ready', error: null };
  }
  const error = FATES[fate];
  if (fate === 'not-found' || fate === 'forbidden' || fate === 'reset') {
    return { status: first, error };
  }
  if (share < TRANSCODED_SHARE) return { status: 'pending', error: null };
  return { status: fate === 'no-space' ? 'viewable' : 'error', error };
}

/** Whether transcoding is over: what only its beginning reads can no longer be changed. */
export function isTranscoded(world: World, video: Readonly<VideoEntity>): boolean {
  const { status } = videoStatus(world, video);
  return status === 'viewable' || status === 'ready' || status === 'error';
}

/** Length of what is shown: the clip, or the whole file. */
export function durationMsOf(video: Readonly<VideoEntity>): number {
  const { origin, clipStartSeconds: start, clipDurationSeconds: length } = video;
  const rest = Math.max(0, origin.durationMs - (start ?? 0) * 1000);
  return Math.min(rest, length === null ? rest : length * 1000);
}
