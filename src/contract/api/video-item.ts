import { z } from 'zod';

const text = (most = 10_000) =>
  z.string().max(most, { error: `must have at most ${most} characters` });
const whole = z.number().refine(Number.isSafeInteger, { error: 'must be a whole number' });
const atLeast = (least: number) =>
  whole.refine((value) => value >= least, { error: `must be ${least} or more` });

const LANGUAGE = /^[a-z]{3}$/;
const HTTP_HEADER = /^[\w-]+:[^\r\n]+$/;
/** A poster may have 1 MB, in base64. */
const LONGEST_POSTER = 1_500_000;
const LONGEST_SUBTITLES = 5_000_000;

const subtitleSchema = z.strictObject({
  name: text(255).optional(),
  language: z.string().regex(LANGUAGE, {
    error: 'must be a language code of three letters (ISO 639-2/B), such as eng',
  }),
  vtt: text(LONGEST_SUBTITLES).min(1, { error: 'must not be empty' }),
});

/**
 * One video of `POST /streaming/videos/batch`. Source: OpenAPI `createVideo` with `subtitles`.
 *
 * @example
 * { name: 'Interview 7', origin_url: 'https://files.example.com/7.mp4' }
 */
export const videoItemSchema = z
  .strictObject({
    name: text(1_000).refine((name) => name.trim() !== '', { error: 'must not be empty' }),
    description: text().nullish(),
    origin_url: z.string().superRefine(checkOrigin).nullish(),
    origin_http_headers: z
      .string()
      .regex(HTTP_HEADER, { error: 'must be one header line, such as "Authorization: …"' })
      .nullish(),
    priority: whole
      .refine((value) => value >= -10 && value <= 10, { error: 'must be from -10 to 10' })
      .optional(),
    quality_set_id: whole.nullish(),
    clip_start_seconds: atLeast(0).nullish(),
    clip_duration_seconds: atLeast(1).nullish(),
    source_bitrate_limit: z.boolean().optional(),
    directory_id: whole.optional(),
    poster: text(LONGEST_POSTER)
      .startsWith('data:', { error: 'must be a data URL of a JPEG, PNG or WebP picture' })
      .nullish(),
    remote_poster_url: text().nullish(),
    remove_poster: z.boolean().optional(),
    screenshot_id: atLeast(-1).optional(),
    client_user_id: whole.optional(),
    auto_transcribe_audio_language: text(16).optional(),
    auto_translate_subtitles_language: text().optional(),
    projection: text(32).optional(),
    share_url: text().optional(),
    custom_iframe_url: text().optional(),
    subtitles: z.array(subtitleSchema).optional(),
  })
  .superRefine((item, context) => {
    if (!isGiven(item.clip_duration_seconds) || isGiven(item.clip_start_seconds)) return;
    context.addIssue({
      code: 'custom',
      path: ['clip_duration_seconds'],
      message: 'needs clip_start_seconds too',
    });
  });
export type VideoItem = z.infer<typeof videoItemSchema>;

function checkOrigin(url: string, context: z.RefinementCtx): void {
  const isFetched = URL.canParse(url) && /^(https?|sftp):$/.test(new URL(url).protocol);
  if (isFetched) return;
  context.addIssue({ code: 'custom', message: 'must be an http, https or sftp URL' });
}

const BY_MANIFEST =
  'must not be given here, where it would stand in the history of the run: put the videos into a manifest';

/**
 * The same where it is part of a run's input, and so of its history: without credentials of the
 * source.
 */
export const inlineVideoItemSchema = videoItemSchema.superRefine((item, context) => {
  const refuse = (path: string, message: string): void => {
    context.addIssue({ code: 'custom', path: [path], message });
  };
  if (isGiven(item.origin_http_headers)) refuse('origin_http_headers', BY_MANIFEST);
  if (hasCredentials(item.origin_url)) {
    refuse('origin_url', `carries credentials. They ${BY_MANIFEST}`);
  }
});

/** The API takes `null` for a field that is not given. */
function isGiven<T>(value: T): value is NonNullable<T> {
  return value !== null && value !== undefined;
}

/** Whether the URL of an origin carries a user name or a password. */
export function hasCredentials(url: string | null | undefined): boolean {
  if (!isGiven(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}
