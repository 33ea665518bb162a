import type { SentVideoItem } from '../../contract/api/streaming.js';
import type { VideoEntity } from './rows.js';
import { storedName } from './name-form.js';
import { seededFraction } from './seeded-fraction.js';
import type { World } from './world.js';

type Fate = VideoEntity['fate'];

/** Shortest and longest seconds from the call to `ready`, at a time scale of 1. */
const DURATION_SECONDS = [20, 60] as const;

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

export function createVideo(world: World, item: SentVideoItem, lagMs: number): VideoEntity {
  const number = world.nextNumber();
  const [shortest, longest] = DURATION_SECONDS;
  const seconds = shortest + (longest - shortest) * seededFraction(world.seed, number);
  const now = world.now();
  const video: VideoEntity = {
    id: String(number),
    slug: `slug${number.toString(36)}`,
    name: storedName(item.name, world.nameForm),
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

function fateOf(world: World, item: SentVideoItem, number: number): Fate {
  if (typeof item.origin_url !== 'string') return 'upload';
  const asked = SIMULATE_PARAMETER.exec(item.origin_url)?.[1];
  const names = Object.keys(FATES).filter((name): name is keyof typeof FATES => name in FATES);
  const known = names.find((name) => name === asked);
  if (known !== undefined) return known;
  const chance = seededFraction(world.seed + 1, number);
  if (chance >= world.videoFailureShare) return 'ready';
  return names[Math.floor((chance / world.videoFailureShare) * names.length)] ?? 'broken';
}

/** Shares of the duration after which a video leaves these states. */
const FETCHED_SHARE = 0.2;
const TRANSCODED_SHARE = 0.6;

/** `empty → pending → viewable → ready`, or a failure, which may keep one of the earlier statuses. */
export function videoStatus(
  world: World,
  video: Readonly<VideoEntity>,
): { status: string; error: string | null } {
  const { fate, createdAt, endsAt } = video;
  const share = endsAt === createdAt ? 1 : (world.now() - createdAt) / (endsAt - createdAt);
  if (fate === 'upload' || share < FETCHED_SHARE) return { status: 'empty', error: null };
  if (fate === 'ready') {
    if (share < TRANSCODED_SHARE) return { status: 'pending', error: null };
    return { status: share < 1 ? 'viewable' : 'ready', error: null };
  }
  const error = FATES[fate];
  if (fate === 'not-found' || fate === 'forbidden' || fate === 'reset') {
    return { status: 'empty', error };
  }
  if (share < TRANSCODED_SHARE) return { status: 'pending', error: null };
  return { status: fate === 'no-space' ? 'viewable' : 'error', error };
}
