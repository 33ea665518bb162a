/** Makes, changes and removes videos with their subtitles. Headers of origins are used by nobody and kept nowhere. */
import { createHash } from 'node:crypto';

import type { z } from 'zod';

import { storedName } from '../state/name-form.js';
import { nextId } from '../state/next-id.js';
import type { SubtitleEntity, VideoEntity } from '../state/rows.js';
import { videoEntitySchema } from '../state/video-entities.js';
import {
  FETCHED_SHARE,
  fateOf,
  isTranscoded,
  originOf,
  processingMs,
  progressOf,
} from '../state/videos.js';
import type { World } from '../state/world.js';
import type { SentSubtitle, SentVideo } from './parse-video.js';

type VideoFields = Partial<z.input<typeof videoEntitySchema>>;

export function createVideo(world: World, sent: SentVideo, lagMs: number): VideoEntity {
  const id = nextId(world, world.videos);
  const now = world.now();
  const number = Number(id);
  const video = videoEntitySchema.parse({
    ...shownFields(sent),
    ...processingFields(sent),
    id,
    slug: `slug${number.toString(36)}`,
    name: storedName(sent.name, world.nameForm),
    createdAt: now,
    listedAt: now + lagMs,
    endsAt: now + processingMs(world, number, sent.priority),
    fate: fateOf(world, sent.origin_url, number),
    origin: originOf(world, number),
  });
  world.videos.insert(video);
  for (const subtitle of sent.subtitles ?? []) addSubtitle(world, id, subtitle);
  return video;
}

/** What only the beginning of the processing reads is left as it is afterwards. */
export function changeVideo(world: World, video: Readonly<VideoEntity>, sent: SentVideo): void {
  const { id } = video;
  const fields = {
    ...shownFields(sent),
    ...(isTranscoded(world, video) ? {} : processingChange(world, video, sent)),
    name: storedName(sent.name, world.nameForm),
    changedAt: world.now(),
  };
  world.videos.merge(id, onlyGiven(fields));
  const { poster, screenshotId } = { ...video, ...world.videos.get(id) };
  // Without a poster there is nothing that it could stand for.
  if (sent.remove_poster === true && poster === null && screenshotId === -1) {
    world.videos.update(id, { screenshotId: 0 });
  }
}

export function removeVideo(world: World, id: string): void {
  for (const subtitle of subtitlesOf(world, id)) world.subtitles.delete(subtitle.id);
  world.videos.delete(id);
}

export function subtitlesOf(world: World, videoId: string): Readonly<SubtitleEntity>[] {
  return world.subtitles.filter((row) => row.videoId === videoId);
}

export function addSubtitle(
  world: World,
  videoId: string,
  { name: given, language, vtt }: Omit<SentSubtitle, 'name'> & { name?: string | null | undefined },
): SubtitleEntity {
  const name = typeof given === 'string' ? storedName(given, world.nameForm) : null;
  const subtitle = { id: nextId(world, world.subtitles), videoId, name, language, vtt };
  world.subtitles.insert(subtitle);
  return subtitle;
}

/** A video that waits for an upload begins when it gets an origin. */
function processingChange(
  world: World,
  video: Readonly<VideoEntity>,
  sent: SentVideo,
): VideoFields {
  const number = Number(video.id);
  const fields = processingFields(sent);
  const { priority = video.priority } = sent;
  if (video.fate === 'upload') {
    const fate = fateOf(world, sent.origin_url, number);
    const now = world.now();
    return { ...fields, fate, beganAt: now, endsAt: now + processingMs(world, number, priority) };
  }
  // Later its place in the queue is taken.
  if (progressOf(world, video) >= FETCHED_SHARE) return fields;
  const beganAt = video.beganAt ?? video.createdAt;
  return { ...fields, endsAt: beganAt + processingMs(world, number, priority) };
}

/** Fields that mean something at any time. */
function shownFields(sent: SentVideo): VideoFields {
  return {
    description: sent.description,
    clientUserId: sent.client_user_id,
    directoryId: sent.directory_id,
    projection: sent.projection,
    shareUrl: sent.share_url,
    customIframeUrl: sent.custom_iframe_url,
    screenshotId: sent.screenshot_id,
    poster: posterOf(sent),
  };
}

/** Fields that the processing reads when it begins. */
function processingFields(sent: SentVideo): VideoFields {
  return {
    originUrl: sent.origin_url,
    priority: sent.priority,
    qualitySetId: sent.quality_set_id,
    clipStartSeconds: sent.clip_start_seconds,
    clipDurationSeconds: sent.clip_duration_seconds,
  };
}

const TYPE = /^data:image\/(\w+)/;

/** A name that follows from the picture, or from where it is. */
function posterOf(sent: SentVideo): string | null | undefined {
  if (sent.remove_poster === true) return null;
  const picture = sent.poster ?? sent.remote_poster_url ?? undefined;
  if (picture === undefined) return undefined;
  const hash = createHash('sha256').update(picture).digest('hex').slice(0, 32);
  return `${hash}.${TYPE.exec(picture)?.[1] ?? 'jpeg'}`;
}

function onlyGiven(fields: VideoFields): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
