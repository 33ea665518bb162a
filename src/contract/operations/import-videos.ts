import { z } from 'zod';

import { inlineVideoItemSchema } from '../api/video-item.js';
import { manifestSchema } from '../manifest.js';
import { stepStatusSchema } from '../status-document.js';
import { commonInputShape } from './common-input.js';

/** Of videos in the input itself; larger lists come as a manifest. */
const MAX_INLINE = 2_000;
const MAX_INLINE_BYTES = 1024 ** 2;

const RANGES = /^\d+(-\d+)?( \d+(-\d+)?)*$/;

const tolerateSchema = z.union(
  [
    z.strictObject({ count: z.number().int().min(0) }),
    z.strictObject({ percent: z.number().min(0).max(100) }),
  ],
  { error: 'must be { "count": 10 } or { "percent": 5 }' },
);
export type Tolerate = z.infer<typeof tolerateSchema>;

/**
 * Input of the workflow `importVideos`. The videos come either inline or by a manifest, one a line.
 *
 * @example
 * { manifest: { url: 'file:imports/2026-05.jsonl' }, canary: 20, tolerate: { percent: 1 } }
 */
export const importVideosInputSchema = z
  .strictObject({
    account: commonInputShape.account,
    onBlocked: commonInputShape.onBlocked,
    deadline: commonInputShape.deadline,
    planOnly: commonInputShape.planOnly,
    videos: z
      .array(inlineVideoItemSchema)
      .min(1, { error: 'must have at least one video' })
      .max(MAX_INLINE, { error: `must have at most ${MAX_INLINE}: use a manifest for more` })
      .refine((videos) => byteLength(videos) <= MAX_INLINE_BYTES, {
        error: 'must have at most 1 MiB: use a manifest for more',
      })
      .optional()
      .describe('bodies of POST /streaming/videos/batch'),
    manifest: manifestSchema.optional().describe('the same by reference, one video a line'),
    lines: z
      .string()
      .regex(RANGES, { error: 'must be numbers and ranges, such as "1-500 502"' })
      .refine((text) => isRising(text), { error: 'must rise: each number above the one before' })
      .optional()
      .describe('only these lines of the manifest, or videos of the list, counted from 1'),
    waitFor: z
      .enum(['created', 'viewable', 'ready'])
      .optional()
      .describe('what each video has to reach; viewable when left out'),
    tolerate: tolerateSchema
      .optional()
      .describe('how many may fail before the run counts as failed; none when left out'),
    canary: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('so many first; the rest only when no more of them fail than tolerated'),
  })
  .superRefine(({ videos, manifest }, context) => {
    if ((videos === undefined) !== (manifest === undefined)) return;
    const message = 'must have either "videos" or "manifest"';
    context.addIssue({ code: 'custom', path: [], message });
  });
export type ImportVideosInput = z.infer<typeof importVideosInputSchema>;

function byteLength(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function isRising(text: string): boolean {
  const numbers = text.split(/[ -]/).map(Number);
  return numbers.every(
    (number, at) => number >= 1 && (at === 0 || number > (numbers[at - 1] ?? 0)),
  );
}

const failuresSchema = z.object({
  class: z.string().describe('such as origin-not-found'),
  text: z.string().describe('what the API said'),
  lines: z.string().describe('such as "3 17 20-25"'),
});

/**
 * What became of every line, in a short form: `lines` and `ids` are numbers and ranges in the same
 * order. A line under `videos` that is not under `failed` or `pending` has reached `outcome`; under
 * `uploads` it was made and waits for its file; a line that is nowhere was not tried.
 */
export const importReportSchema = z.object({
  outcome: z.enum(['created', 'viewable', 'ready']),
  lines: z.string().describe('all that was asked for'),
  videos: z.array(z.object({ lines: z.string(), ids: z.string() })),
  failed: z.array(failuresSchema),
  warned: z.array(z.object({ text: z.string(), lines: z.string() })),
  uploads: z.string(),
  pending: z.string().describe('made, and neither done nor failed when the run ended'),
});
export type ImportReport = z.infer<typeof importReportSchema>;

const importCountsSchema = z.object({
  asked: z.number(),
  succeeded: z.number(),
  failed: z.number(),
  pending: z.number(),
  untried: z.number(),
  /** Of those that succeeded: their video carries an error. */
  warned: z.number(),
  byClass: z.record(z.string(), z.number()),
});
export type ImportCounts = z.infer<typeof importCountsSchema>;

/** Result of `importVideos`: counts, and what became of every line. */
export const importVideosResultSchema = z.object({
  counts: importCountsSchema,
  report: importReportSchema,
  ledger: z.array(stepStatusSchema),
});
export type ImportVideosResult = z.infer<typeof importVideosResultSchema>;
