/** Reads the bodies of videos and subtitles, and refuses what the API documents as wrong. */
import { z } from 'zod';

import { sentVideoItemSchema } from '../../contract/api/streaming.js';
import { badRequestError, unprocessableError } from '../http/cloud-error.js';
import { parsePart } from '../http/request-body.js';
import type { World } from '../state/world.js';

const MAX_BATCH_VIDEOS = 500;
const MAX_POSTER_BYTES = 1024 ** 2;
const MAX_SUBTITLES_BYTES = 5 * 1024 ** 2;

/** WebVTT starts with its header, SRT with the number of its first text. */
const SUBTITLES = /^\uFEFF?(?:WEBVTT(?:\s|$)|\s*\d+\s*[\r\n])/;
const POSTER = /^data:image\/(?:jpeg|png|webp);base64,[A-Za-z0-9+/]+={0,2}$/;
const TRANSCRIBED = /^(?:disable|auto|[a-z]{3})$/;
const TRANSLATED = /^(?:disable|default|[a-z]{3}(?:,[a-z]{3})*)$/;

export const subtitleSchema = z.strictObject({
  name: z.string().max(255).optional(),
  language: z.string().regex(/^[a-z]{3}$/, { error: 'must be a language code of three letters' }),
  vtt: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= MAX_SUBTITLES_BYTES, { error: 'is too long' })
    .refine((text) => SUBTITLES.test(text), {
      error: 'must be WebVTT, which starts with "WEBVTT", or SRT, which starts with a number',
    }),
});
export type SentSubtitle = z.infer<typeof subtitleSchema>;
const subtitleChangeSchema = subtitleSchema.partial();
export type SubtitleChange = z.infer<typeof subtitleChangeSchema>;

const stricterShape = {
  poster: z
    .string()
    .refine((text) => POSTER.test(text), { error: 'must be a JPEG, PNG or WebP as a data URL' })
    .refine(
      (text) => Buffer.byteLength(text.slice(text.indexOf(',') + 1), 'base64') <= MAX_POSTER_BYTES,
      {
        error: 'must have at most 1 MB',
      },
    )
    .nullish(),
  projection: z.enum(['regular', 'vr360', 'vr180', 'vr360tb']).optional(),
  auto_transcribe_audio_language: z.string().regex(TRANSCRIBED).optional(),
  auto_translate_subtitles_language: z.string().regex(TRANSLATED).optional(),
};

const batchItemSchema = sentVideoItemSchema.safeExtend({
  ...stricterShape,
  subtitles: z.array(subtitleSchema).optional(),
});
/** Subtitles have a path of their own, unless the video is in a batch. */
const videoSchema = z
  .strictObject(sentVideoItemSchema.shape)
  .omit({ subtitles: true })
  .extend(stricterShape);
export type SentVideo = z.infer<typeof videoSchema> & { subtitles?: SentSubtitle[] | undefined };

const batchBodySchema = z.object({ videos: z.array(z.unknown()) });
const singleBodySchema = z.object({ video: z.unknown() });

/** Refuses the whole batch when one item is wrong. The API does not document this case. */
export function parseBatch(world: World, json: unknown): SentVideo[] {
  const parsed = batchBodySchema.safeParse(json);
  if (!parsed.success || parsed.data.videos.length === 0)
    throw badRequestError('videos is missing');
  const { videos } = parsed.data;
  if (videos.length > MAX_BATCH_VIDEOS)
    throw badRequestError(`More than ${MAX_BATCH_VIDEOS} videos`);
  return videos.map((item) => named(parse(world, batchItemSchema, item)));
}

export function parseSingle(world: World, json: unknown): SentVideo {
  const parsed = singleBodySchema.safeParse(json);
  const video = parse(world, videoSchema, parsed.success ? parsed.data.video : undefined);
  return named(withClip(video, video.clip_start_seconds));
}

/** @param start where the clip of the video starts already. */
export function parseChange(world: World, json: unknown, start: number | null): SentVideo {
  const video = parse(world, videoSchema, json);
  return withClip(video, video.clip_start_seconds ?? start);
}

export function parseSubtitle(world: World, json: unknown): SentSubtitle {
  return parse(world, subtitleSchema, json);
}

export function parseSubtitleChange(world: World, json: unknown): SubtitleChange {
  return parse(world, subtitleChangeSchema, json);
}

function parse<T>(world: World, schema: z.ZodType<T>, json: unknown): T {
  const parsed = parsePart(world, schema, json);
  if (!parsed.ok) throw unprocessableError(parsed.faults);
  return parsed.value;
}

/** A test chooses such a name for a video that the API refuses for a reason of its own. */
function named(video: SentVideo): SentVideo {
  if (!/^unacceptable/.test(video.name)) return video;
  throw unprocessableError([{ path: 'name', message: 'is not acceptable' }]);
}

function withClip(video: SentVideo, start: number | null | undefined): SentVideo {
  const isCut = typeof video.clip_duration_seconds === 'number';
  if (!isCut || typeof start === 'number') return video;
  const message = 'needs "clip_start_seconds" too';
  throw unprocessableError([{ path: 'clip_duration_seconds', message }]);
}
