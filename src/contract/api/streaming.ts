import { z } from 'zod';

import { timestampSchema } from './cloud.js';
import { apiNameSchema } from './errors.js';
import { orSecret } from '../secret-ref-schema.js';
import { isSecretRef } from '../wire/secret-ref.js';

const saidText = z.string().nullish().catch(undefined);
const saidNumber = z.number().nullish().catch(undefined);

/** One quality of a video. `status` is `processing`, `complete` or `error`. */
const convertedVideoSchema = z.object({
  name: saidText,
  // Sound alone has none.
  width: saidNumber,
  height: saidNumber,
  size: saidNumber,
  progress: saidNumber,
  status: saidText,
  error: saidText,
  mp4_url: saidText,
});

/**
 * The fields of a video that this product reads. Only the id is sure to exist, so all other fields are
 * optional. `status` stays an open text, because an unknown status means "not done yet".
 * Source: OpenAPI `videoListItem`, `videoDetails`. Only the latter, which a list does not give, has `iframe_url`.
 */
export const videoSchema = z.object({
  id: z.number().int(),
  name: saidText,
  origin_url: saidText,
  client_user_id: z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
    .nullish()
    .catch(undefined),
  status: apiNameSchema.nullish().catch(undefined),
  // Not cut here: secrets are removed first, and the whole text tells the cause.
  error: saidText,
  created_at: timestampSchema.nullish().catch(undefined),
  updated_at: timestampSchema.nullish().catch(undefined),
  slug: saidText,
  client_id: saidNumber,
  duration: saidNumber,
  priority: saidNumber,
  projection: saidText,
  ad_id: saidNumber,
  stream_id: saidNumber,
  hls_url: saidText,
  hls_cmaf_url: saidText,
  dash_url: saidText,
  iframe_url: saidText,
  poster: saidText,
  screenshot: saidText,
  screenshots: z.array(z.string()).nullish().catch(undefined),
  converted_videos: z.array(convertedVideoSchema).nullish().catch(undefined),
});
export type Video = z.infer<typeof videoSchema>;

/** Lists of the streaming area are bare arrays, and so is the answer of the batch. */
export const videoListSchema = z.array(videoSchema);

const textSchema = (maxLength = 10_000) =>
  z.string().max(maxLength, { error: `must have at most ${maxLength} characters` });
const wholeNumberSchema = z
  .number()
  .refine(Number.isSafeInteger, { error: 'must be a whole number' });
const atLeast = (min: number) =>
  wholeNumberSchema.refine((value) => value >= min, { error: `must be at least ${min}` });

const LANGUAGE = /^[a-z]{3}$/;
const HTTP_HEADER = /^[\w-]+:[^\r\n]+$/;
/** 1 MB in base64. */
const MAX_POSTER_LENGTH = 1_500_000;
const MAX_SUBTITLES_LENGTH = 5_000_000;

export const subtitleSchema = z.strictObject({
  name: textSchema(255).optional().describe('title of the subtitles'),
  language: z
    .string()
    .regex(LANGUAGE, {
      error: 'must be a language code of three letters (ISO 639-2/B), such as eng',
    })
    .describe('three letters, such as eng'),
  vtt: textSchema(MAX_SUBTITLES_LENGTH)
    .min(1, { error: 'must not be empty' })
    .describe('the subtitles as WebVTT'),
});

const originSchema = z.string().superRefine(checkOrigin);
const headerSchema = z
  .string()
  .regex(HTTP_HEADER, { error: 'must be one header line, such as "Authorization: …"' });

const sentShape = z.strictObject({
  name: textSchema(1_000)
    .refine((name) => name.trim() !== '', { error: 'must not be empty' })
    .describe('title of the video'),
  description: textSchema().nullish().describe('description of the video'),
  origin_url: originSchema.nullish(),
  origin_http_headers: headerSchema.nullish(),
  priority: wholeNumberSchema
    .refine((value) => value >= -10 && value <= 10, { error: 'must be from -10 to 10' })
    .optional()
    .describe('how urgent its processing is among the videos of the account'),
  quality_set_id: wholeNumberSchema.nullish().describe('id of the set of qualities to make'),
  clip_start_seconds: atLeast(0).nullish().describe('where the clip starts; the video is cut'),
  clip_duration_seconds: atLeast(1)
    .nullish()
    .describe('length of the clip; needs clip_start_seconds'),
  source_bitrate_limit: z
    .boolean()
    .optional()
    .describe('true: no quality gets a higher bitrate than the source'),
  directory_id: wholeNumberSchema.optional().describe('id of the directory of the video'),
  poster: textSchema(MAX_POSTER_LENGTH)
    .startsWith('data:', { error: 'must be a data URL of a JPEG, PNG or WebP picture' })
    .nullish()
    .describe('the poster as a data URL'),
  remote_poster_url: textSchema().nullish(),
  remove_poster: z.boolean().optional().describe('true: removes the poster'),
  screenshot_id: atLeast(-1)
    .optional()
    .describe('number of the generated screenshot that is shown, from 0; -1: the poster'),
  client_user_id: wholeNumberSchema.optional().describe('a number of your own'),
  auto_transcribe_audio_language: textSchema(16)
    .optional()
    .describe('language of the sound, from which subtitles are made; or auto, or disable'),
  auto_translate_subtitles_language: textSchema()
    .optional()
    .describe('languages into which subtitles are translated; or disable'),
  projection: z
    .enum(['regular', 'vr360', 'vr180', 'vr360tb'])
    .optional()
    .describe('form of the video; vr360tb is 3D, top and bottom'),
  share_url: textSchema().optional().describe('URL that the player offers to share'),
  custom_iframe_url: textSchema()
    .optional()
    .describe('URL of the iframe that the player offers to share'),
  subtitles: z.array(subtitleSchema).optional().describe('subtitles of the video'),
});

/** A value that a secret holds: no URL and no header is longer. */
const MAX_SECRET_LENGTH = 16_384;
const secretTextSchema = <T extends z.ZodType<string>>(schema: T) =>
  schema.refine((text) => text.length <= MAX_SECRET_LENGTH, {
    error: `must have at most ${MAX_SECRET_LENGTH} characters`,
  });

/** The video as it is sent, with the values of its secrets. */
export const sentVideoItemSchema = sentShape
  .extend({
    origin_url: secretTextSchema(originSchema).nullish(),
    origin_http_headers: secretTextSchema(headerSchema).nullish(),
  })
  .superRefine(checkClip);
export type SentVideoItem = z.infer<typeof sentVideoItemSchema>;

/**
 * One video of `POST /streaming/videos/batch`. Source: OpenAPI `createVideo` with `subtitles`. Where
 * credentials may stand, a secret may stand by its name.
 *
 * @example
 * { name: 'Interview 7', origin_url: 'https://files.example.com/7.mp4' }
 */
export const videoItemSchema = sentShape
  .extend({
    origin_url: orSecret(originSchema)
      .nullish()
      .describe('where the API fetches the file; without it the video waits for an upload'),
    origin_http_headers: orSecret(headerSchema)
      .nullish()
      .describe('a header of that request, such as "Authorization: …"'),
    remote_poster_url: orSecret(textSchema())
      .nullish()
      .describe('where the API fetches the poster'),
  })
  .superRefine(checkClip)
  .superRefine(checkMarker);
export type VideoItem = z.infer<typeof videoItemSchema>;

/** A number of the caller may be that of other videos too: then only the origin tells them apart. */
function checkMarker(
  { origin_url: url, client_user_id: own }: { origin_url?: unknown; client_user_id?: unknown },
  context: z.RefinementCtx,
): void {
  if (!isSecretRef(url) || own === undefined) return;
  const message =
    'cannot be combined with a secret as "origin_url": after a lost answer the run could not tell which video is its own';
  context.addIssue({ code: 'custom', path: ['client_user_id'], message });
}

function checkClip(
  {
    clip_duration_seconds: duration,
    clip_start_seconds: start,
  }: Pick<z.infer<typeof sentShape>, 'clip_duration_seconds' | 'clip_start_seconds'>,
  context: z.RefinementCtx,
): void {
  if (!isGiven(duration) || isGiven(start)) return;
  const message = 'needs "clip_start_seconds" too';
  context.addIssue({ code: 'custom', path: ['clip_duration_seconds'], message });
}

function checkOrigin(url: string, context: z.RefinementCtx): void {
  const isSupported = URL.canParse(url) && /^(https?|sftp):$/.test(new URL(url).protocol);
  if (isSupported) return;
  context.addIssue({ code: 'custom', message: 'must be an http, https or sftp URL' });
}

const STAYS_OUT = `the history of the run would store them: use a secret by its name, { "$secret": "name" }, or a manifest`;

/**
 * One video in the input of a run. It must not contain credentials of its origin or its poster, because
 * the history stores the input.
 */
export const inlineVideoItemSchema = videoItemSchema.superRefine((item, context) => {
  const refuse = (path: string, message: string): void => {
    context.addIssue({ code: 'custom', path: [path], message });
  };
  if (isGiven(item.origin_http_headers) && !isSecretRef(item.origin_http_headers)) {
    refuse('origin_http_headers', `must not be in the input: ${STAYS_OUT}`);
  }
  for (const field of ['origin_url', 'remote_poster_url'] as const) {
    if (hasCredentials(item[field])) {
      refuse(field, `must not contain credentials: ${STAYS_OUT}`);
    } else if (isSigned(item[field])) {
      refuse(field, `must not contain a signature or a token in its query: ${STAYS_OUT}`);
    }
  }
});

/** The API treats `null` as a missing field. */
function isGiven<T>(value: T): value is NonNullable<T> {
  return value !== null && value !== undefined;
}

/** Without an origin a video waits until somebody uploads a file. */
export function hasOrigin({ origin_url: url }: Pick<VideoItem, 'origin_url'>): boolean {
  return isGiven(url);
}

type GivenUrl = VideoItem['origin_url'];

/** Whether a URL contains a user name or a password. */
export function hasCredentials(url: GivenUrl): boolean {
  // Most have none of these signs, and to parse a URL takes longer than all else that is asked of a line of a list.
  if (typeof url !== 'string' || !url.includes('@') || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}

/** Names of parameters that carry the signature of a presigned URL, a key or a token. */
const SECRET_PARAMETER =
  /signature|token|secret|passw|pwd|credential|policy|auth(?!or)|session|hmac|hash|jwt|api-?key|access-?key|key-?(?:pair-?)?id$|(?:^|[-_.])(?:sig|key|md5|code)$/i;
/** What no person has typed: a value under any name may be a token. */
const LONG_VALUE = /^[\w+/=.~-]{24,}$/;

/** Whether the query or the fragment of a URL looks like that of a presigned URL. */
export function isSigned(url: GivenUrl): boolean {
  if (typeof url !== 'string' || !/[?#]/.test(url) || !URL.canParse(url)) return false;
  const { searchParams, hash } = new URL(url);
  const parameters = [...searchParams, ...new URLSearchParams(hash.slice(1))];
  return parameters.some(
    ([name, value]) => value !== '' && (SECRET_PARAMETER.test(name) || LONG_VALUE.test(value)),
  );
}
