import { z } from 'zod';

import { inlineVideoItemSchema } from '../api/streaming.js';
import { jsonByteLength } from '../../engine/core/text.js';
import { manifestSchema, refuseOtherUpload } from '../manifest.js';
import { ledgerSchema } from '../documents.js';
import { videoDetailsSchema } from '../video-details.js';
import { DEFAULT_VIDEO_FIELDS, IMPORTED_STATES, VIDEO_FIELDS } from '../wire/videos.js';
import { failedLinesSchema, linesSchema, MAX_INLINE_BYTES, tolerateSchema } from './bulk-input.js';
import { accountInputShape } from './common-input.js';
import { itemCountsSchema } from '../../engine/schema/status-document.js';
import { defineOperation, withRequestId } from './define-operation.js';

/** Larger lists come as a manifest. */
export const MAX_INLINE_VIDEOS = 2_000;

/** The outcomes of this number of lines fit into one Temporal payload, whatever their ids and failures. */
export const MAX_IMPORT_LINES = 100_000;

/**
 * Input of the workflow `importVideos`. The videos come either inline or in a manifest, one per line.
 *
 * @example
 * { manifest: { url: 'file:imports/2026-05.jsonl' }, canary: 20, tolerate: { percent: 1 } }
 */
export const importVideosInputSchema = z
  .strictObject({
    ...accountInputShape,
    videos: z
      .array(inlineVideoItemSchema)
      .min(1, { error: 'must have at least one video' })
      .max(MAX_INLINE_VIDEOS, {
        error: `must have at most ${MAX_INLINE_VIDEOS} videos: use a manifest for more`,
      })
      .refine((videos) => jsonByteLength(videos) <= MAX_INLINE_BYTES, {
        error: 'must have at most 1 MiB: use a manifest for more',
      })
      .optional()
      .describe('bodies of POST /streaming/videos/batch; give these or a manifest'),
    manifest: manifestSchema.optional().describe('the videos by reference, one per line'),
    lines: linesSchema(MAX_IMPORT_LINES)
      .optional()
      .describe('import only these lines of the manifest or the list, counted from 1'),
    waitFor: z
      .enum(IMPORTED_STATES)
      .optional()
      .describe(
        'state that each video must reach; viewable when left out. qualities: ready, and each of its qualities complete',
      ),
    fields: z
      .array(z.enum(VIDEO_FIELDS))
      .optional()
      .describe(
        'what the report has of each video beside its id; without poster, links and pictures it has room for more videos',
      ),
    tolerate: tolerateSchema('videos')
      .optional()
      .describe(
        'how many videos may fail before the run fails, such as {"count":10} or {"percent":1}; none when left out',
      ),
    canary: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe(
        'import this many first; import the rest only when no more of them fail than tolerated',
      ),
  })
  .superRefine(refuseOtherUpload)
  .superRefine(({ videos, manifest }, context) => {
    if ((videos === undefined) !== (manifest === undefined)) return;
    const message = 'must have either "videos" or "manifest"';
    context.addIssue({ code: 'custom', path: [], message });
  });

/**
 * The outcome of every line, in a short form: `lines` and `ids` are numbers and ranges in the same
 * order. A line under `videos` that is not under `failed` or `pending` has reached `outcome`. A line
 * under `uploads` has a video that waits for its file. A line that is in no list was not tried.
 * `details` is about videos, by their ids.
 */
export const importReportSchema = z.object({
  outcome: z.enum(IMPORTED_STATES).describe('state that each video had to reach'),
  lines: z.string().describe('all requested lines'),
  videos: z
    .array(
      z.object({
        lines: z.string().describe('such as "1-19"'),
        ids: z.string().describe('of the videos of these lines, in the same order'),
      }),
    )
    .describe('the videos that exist'),
  failed: z
    .array(failedLinesSchema({ example: 'origin-not-found', text: 'what the API said' }))
    .describe('lines that failed, by their failure'),
  warned: z
    .array(
      z.object({
        text: z.string().describe('what the API said'),
        lines: z.string().describe('such as "3 17 20-25"'),
      }),
    )
    .describe('lines that succeeded, although their videos carry an error text'),
  uploads: z.string().describe('lines whose videos wait for their file'),
  pending: z.string().describe('created, but neither done nor failed when the run ended'),
  unknown: z
    .string()
    .optional()
    .describe(
      'lines whose call was sent and has no answer: their videos may exist; missing when there are none',
    ),
  details: z
    .array(videoDetailsSchema)
    .optional()
    .describe(
      'what the API said of the first videos when their outcome became known: of 100 in a result, of as many as fit in the query',
    ),
});

/** Result of `importVideos`: counts and the outcome of every line. */
export const importVideosResultSchema = z.object({
  counts: itemCountsSchema.describe('videos by outcome'),
  report: importReportSchema.describe('the outcome of every line'),
  ledger: ledgerSchema,
});

export const importVideos = defineOperation({
  guarantees:
    'Creates each video of a list or a [manifest](manifests.md) once, follows each until it can be watched, and reports the outcome of every line. It keeps everything it made.',
  page: 'import.md',
  shows: [
    'videos.name',
    'videos.priority',
    'videos.quality_set_id',
    'videos.clip_start_seconds',
    'videos.clip_duration_seconds',
    'videos.source_bitrate_limit',
    'videos.directory_id',
    'videos.remove_poster',
    'videos.screenshot_id',
    'videos.client_user_id',
    'videos.auto_transcribe_audio_language',
    'videos.auto_translate_subtitles_language',
    'videos.projection',
    'videos.subtitles.name',
    'videos.subtitles.language',
    'manifest.sha256',
    'lines',
    'waitFor',
    'fields',
    'tolerate.count',
    'tolerate.percent',
    'canary',
  ],
  messages: 'the query `report`, also after a failure',
  failures: {
    always: ['ItemsFailed'],
    blocks: ['ManifestUnreadable', 'QuotaExceeded', 'OutcomeUnknown', 'ResourceBusy'],
  },
  input: importVideosInputSchema,
  result: importVideosResultSchema,
  example: {
    videos: [{ name: 'Interview 7', origin_url: 'https://files.example.com/7.mp4' }],
    tolerate: { count: 1 },
  },
  // One import sends thousands of calls: all other runs go first.
  urgency: 'bulk',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  repeat: 'once',
  requestId: 'from caller',
  defaults: { tolerate: { count: 0 }, waitFor: 'viewable', fields: [...DEFAULT_VIDEO_FIELDS] },
  subjects: () => [],
  readsOnly: false,
  startAgain: withRequestId('import', 'FILE'),
  whereToLook: () => 'The list of videos shows what it has created',
  leaves: {
    says: 'The videos that it has created are kept: its report names them',
    next: 'delete the videos that you do not want',
  },
  completedWork: ({ counts }) => ({
    done: `it has imported ${counts.succeeded} videos`,
    advice: 'Delete the videos that you do not want; the result names them.',
  }),
});
