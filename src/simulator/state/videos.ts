import type { VideoItem } from '../../contract/api/video-item.js';
import type { VideoEntity } from './simulator-state.js';
import { fraction } from './fraction.js';
import type { World } from './world.js';

type Fate = VideoEntity['fate'];

/** Shortest and longest seconds from the call to `ready`, at a time scale of 1. */
const DURATION_SECONDS = [20, 60] as const;

/** Texts that the real service is known to set, and where it hides them. */
const FATES: Record<Exclude<Fate, 'ready' | 'upload'>, string> = {
  // A failed fetch stays empty; only the text tells.
  'not-found': 'The requested origin was not found',
  forbidden: 'Access to the origin is forbidden',
  reset: 'Connection reset by peer',
  broken: 'Encoding has failed',
  // Stays viewable and never becomes ready.
  'no-space': 'The storage limit has been exceeded',
};

/** An origin whose URL has `simulate=broken` or another fate in it ends like that. */
const ASKED_FATE = /[?&]simulate=([a-z-]+)/;

export function createVideo(world: World, item: VideoItem, lagMs: number): VideoEntity {
  const number = world.nextNumber();
  const [shortest, longest] = DURATION_SECONDS;
  const seconds = shortest + (longest - shortest) * fraction(world.seed, number);
  const now = world.now();
  const video: VideoEntity = {
    id: String(number),
    slug: `slug${number.toString(36)}`,
    name: item.name,
    description: item.description ?? null,
    originUrl: item.origin_url ?? null,
    clientUserId: item.client_user_id ?? null,
    createdAt: now,
    listedAt: now + lagMs,
    endsAt: now + seconds * 1000 * world.timeScale,
    fate: fateOf(world, item, number),
  };
  world.videos.insert(video);
  return video;
}

function fateOf(world: World, item: VideoItem, number: number): Fate {
  if (typeof item.origin_url !== 'string') return 'upload';
  const asked = ASKED_FATE.exec(item.origin_url)?.[1];
  const names = Object.keys(FATES).filter((name): name is keyof typeof FATES => name in FATES);
  const known = names.find((name) => name === asked);
  if (known !== undefined) return known;
  const chance = fraction(world.seed + 1, number);
  if (chance >= world.videoFailureShare) return 'ready';
  return names[Math.floor((chance / world.videoFailureShare) * names.length)] ?? 'broken';
}

/** Shares of the duration after which a video leaves these states. */
const FETCHED = 0.2;
const TRANSCODED = 0.6;

/** `empty → pending → viewable → ready`, and the ways to fail, some of which hide in another status. */
export function videoStatus(
  world: World,
  video: Readonly<VideoEntity>,
): { status: string; error: string | null } {
  const { fate, createdAt, endsAt } = video;
  const share = endsAt === createdAt ? 1 : (world.now() - createdAt) / (endsAt - createdAt);
  if (fate === 'upload' || share < FETCHED) return { status: 'empty', error: null };
  if (fate === 'ready') {
    if (share < TRANSCODED) return { status: 'pending', error: null };
    return { status: share < 1 ? 'viewable' : 'ready', error: null };
  }
  const error = FATES[fate];
  if (fate === 'not-found' || fate === 'forbidden' || fate === 'reset') {
    return { status: 'empty', error };
  }
  if (share < TRANSCODED) return { status: 'pending', error: null };
  return { status: fate === 'no-space' ? 'viewable' : 'error', error };
}

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
