import { z } from 'zod';

import { jsonByteLength } from '../../engine/core/text.js';
import { subtitleSchema, videoItemSchema, videoSchema } from './streaming.js';

/**
 * One video, as far as the product changes it or keeps what it was. Source: `GET /streaming/videos/{video_id}`, OpenAPI
 * `videoDetails`.
 */
export const oneVideoSchema = videoSchema
  .pick({ id: true, name: true, status: true, created_at: true })
  .extend({
    slug: z.string().nullish().catch(undefined),
    description: z.string().nullish().catch(undefined),
    directory_id: z.number().nullish().catch(undefined),
    screenshot_id: z.number().nullish().catch(undefined),
  });
export type OneVideo = z.infer<typeof oneVideoSchema>;

/** Subtitles of a video. Source: OpenAPI of `/streaming/videos/{video_id}/subtitles`; no field is marked as required. */
export const shownSubtitleSchema = z.object({
  id: z.number().int(),
  name: z.string().nullish().catch(undefined),
  language: z.string().nullish().catch(undefined),
  vtt: z.string().nullish().catch(undefined),
});
export type ShownSubtitle = z.infer<typeof shownSubtitleSchema>;
export const subtitleListSchema = z.array(shownSubtitleSchema);

const { name } = videoItemSchema.shape;

/** The fields of a video that may be changed and that a read shows. Source: OpenAPI `createVideo`. */
export const videoChangeShape = {
  name: name.optional().describe('title of the video'),
  description: z
    .string()
    .max(10_000, { error: 'must have at most 10000 characters' })
    .optional()
    .describe('description of the video; empty: none'),
  screenshotId: z
    .number()
    .refine((id) => Number.isSafeInteger(id) && id >= -1, {
      error: 'must be the number of a screenshot, from 0; -1: the poster',
    })
    .optional()
    .describe('number of the screenshot that is shown, from 0; -1: the poster'),
};

/** Temporal warns of payloads above 512 KiB, and the history of a run has this text at least twice. */
const MAX_SUBTITLE_BYTES = 262_144;

/** Subtitles in a body. Source: guide on subtitles. The text is compared later: the API may convert another format. */
export const subtitleShape = {
  name: z
    .string()
    .max(255, { error: 'must have at most 255 characters' })
    .refine((text) => text.trim() !== '', { error: 'must not be empty' })
    .describe('title of the subtitles'),
  language: subtitleSchema.shape.language,
  vtt: z
    .string()
    .regex(/^\uFEFF?WEBVTT(?:\s|$)/, { error: 'must be WebVTT, which starts with WEBVTT' })
    .refine((text) => jsonByteLength(text) <= MAX_SUBTITLE_BYTES, {
      error: `must have at most ${MAX_SUBTITLE_BYTES} bytes as JSON, because the history of the run keeps it: add longer subtitles with POST /streaming/videos/{video_id}/subtitles`,
    })
    .describe('the subtitles as WebVTT, up to 256 KiB'),
};
