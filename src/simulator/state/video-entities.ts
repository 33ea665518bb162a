/** Rows of the streaming area. They belong to the account. */
import { z } from 'zod';

import { numericIdSchema } from './account-entities.js';

const textSchema = z.string().nullable().default(null);
const numberSchema = z.number().int().nullable().default(null);

/** A video. `fate` says how it will end. */
export const videoEntitySchema = z.object({
  id: numericIdSchema,
  slug: z.string(),
  name: z.string(),
  description: textSchema,
  originUrl: textSchema,
  clientUserId: numberSchema,
  createdAt: z.number(),
  listedAt: z.number(),
  /** The last change that a caller made. */
  changedAt: z.number().nullable().default(null),
  /** Since when its file is fetched, where that was not when it was made. */
  beganAt: z.number().nullable().default(null),
  endsAt: z.number(),
  fate: z.enum(['ready', 'upload', 'not-found', 'forbidden', 'reset', 'broken', 'no-space']),
  priority: z.number().int().default(0),
  qualitySetId: numberSchema,
  directoryId: numberSchema,
  clipStartSeconds: numberSchema,
  clipDurationSeconds: numberSchema,
  /** What the file is, once it is there. */
  origin: z
    .object({ durationMs: z.number().int(), height: z.number().int() })
    .default({ durationMs: 184_669, height: 720 }),
  /** Name of the caller's own picture in the store of pictures. */
  poster: textSchema,
  /** -1 is the poster. */
  screenshotId: z.number().int().default(0),
  projection: z.string().default('regular'),
  shareUrl: textSchema,
  customIframeUrl: textSchema,
  adId: numberSchema,
  /** A video that was saved from a stream has its id; only a state brings such a video. */
  streamId: numberSchema,
  recordType: z.enum(['origin', 'transcoded']).nullable().default(null),
  recordingStartedAt: z.number().nullable().default(null),
});

/** Subtitles of a video. */
export const subtitleEntitySchema = z.object({
  id: numericIdSchema,
  videoId: numericIdSchema,
  name: z.string().nullable(),
  language: z.string(),
  vtt: z.string(),
});
