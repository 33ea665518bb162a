import { z } from 'zod';

import { countRanges, fromRanges } from '../../engine/core/number-ranges.js';
import { plural } from '../../engine/core/text.js';
import { videoDetailsSchema } from '../video-details.js';
import { DEFAULT_VIDEO_FIELDS, mostVideosInOneRead, VIDEO_FIELDS } from '../wire/videos.js';
import { accountInputShape } from './common-input.js';
import { defineOperation } from './define-operation.js';

/** So that 500 of them fit into a URL. */
const ID = '[1-9]\\d{0,11}';
const IDS = new RegExp(`^${ID}(-${ID})?( ${ID}(-${ID})?)*$`);
/** 500 ids of 12 digits take less. */
const MAX_IDS_LENGTH = 8_000;

/**
 * Input of the workflow `listVideos`. It has no `projectId`, because videos belong to the account, and no `onFailure`,
 * because the run creates nothing.
 *
 * @example
 * { ids: '7001-7500', fields: ['slug', 'hls_url'] }
 */
export const listVideosInputSchema = z
  .strictObject({
    ...accountInputShape,
    ids: z
      .string()
      .max(MAX_IDS_LENGTH, {
        error: `must have at most ${MAX_IDS_LENGTH} characters: ask in parts`,
        abort: true,
      })
      .regex(IDS, {
        error: 'must be ids and ranges of ids, such as "7001-7500 7800"',
        abort: true,
      })
      .describe('of the videos, as numbers and ranges, such as "7001-7500 7800"; at most 500'),
    fields: z
      .array(z.enum(VIDEO_FIELDS))
      .optional()
      .describe(
        'what the result has of each video beside its id; as importVideos has it when left out. [] shows which videos exist',
      ),
  })
  .superRefine(({ ids, fields = DEFAULT_VIDEO_FIELDS }, context) => {
    const message = faultOfIds(ids, mostVideosInOneRead(fields));
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['ids'], message });
  });

/** What is wrong with ids of the right form. A range of a thousand million ids is counted, and not written out. */
function faultOfIds(ids: string, most: number): string | undefined {
  const backwards = ids.split(' ').find((part) => countRanges(part) < 1);
  if (backwards !== undefined)
    return `has the range ${backwards}, which must begin with the lower id`;
  const count = countRanges(ids);
  if (count > most) {
    return `names ${plural(count, 'video')}, and one read takes ${most} with these fields: ask in parts`;
  }
  return new Set(fromRanges(ids)).size < count ? 'names an id twice' : undefined;
}

/** Result of `listVideos`: each asked id is either one of `videos` or in `missing`. */
export const listVideosResultSchema = z.object({
  videos: z
    .array(videoDetailsSchema)
    .describe('what the API says of each, in the order in which they were asked for'),
  missing: z.string().describe('ids that the API does not list, such as "7003 7100-7102"'),
});

export const listVideos = defineOperation({
  guarantees:
    'Reads what the API says of up to 500 videos: links, status, duration, pictures and other fields. Each asked id is in the result, or named as one that the API does not list. It changes nothing at the API.',
  page: 'videos.md',
  shows: ['ids', 'fields'],
  failures: { always: ['UnexpectedResponse'] },
  input: listVideosInputSchema,
  result: listVideosResultSchema,
  example: { ids: '7001-7003 7017', fields: ['slug', 'status', 'hls_url'] },
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  repeat: 'now',
  requestId: 'from caller',
  defaults: { fields: [...DEFAULT_VIDEO_FIELDS] },
  subjects: () => [],
  readsOnly: true,
  startAgain: () => ['videos', 'IDS'],
  whereToLook: () => 'It only reads: there is nothing to look for',
  leaves: { says: 'It only reads: nothing was changed', next: 'nothing to do' },
  completedWork: ({ videos }) => ({
    done: `it has read ${plural(videos.length, 'video')}`,
    advice: 'Nothing to do: it only reads.',
  }),
});
