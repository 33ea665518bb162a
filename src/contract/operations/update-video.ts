import { z } from 'zod';

import { crossFieldRule } from '../../engine/schema/parse-input.js';
import { videoChangeShape } from '../api/videos.js';
import { videoResource } from '../wire/names.js';
import { idSchema } from './common-input.js';
import { defineAccountChange } from './define-change.js';

const rule = crossFieldRule(
  z
    .object({
      name: z.unknown(),
      description: z.unknown(),
      directoryId: z.unknown(),
      screenshotId: z.unknown(),
    })
    .partial(),
);

const shownFields = z.object({
  name: z.string().nullable().optional().describe('cut at 2,000 bytes'),
  description: z.string().nullable().optional().describe('cut at 10,000 bytes'),
  directoryId: z.number().nullable().optional().describe('null: none'),
  screenshotId: z.number().nullable().optional().describe('null: the API shows none'),
});

export const updateVideo = defineAccountChange({
  guarantees:
    'Changes the named fields of one video. It succeeds only when a read shows them as asked, sends nothing when they are, and leaves all other fields as they are: the name that the API wants in each call is the one that the video has at that moment.',
  page: 'videos.md',
  shows: ['videoId', 'name', 'description', 'screenshotId', 'directoryId'],
  changes: 'video',
  subjects: ({ videoId }) => [videoResource(videoId)],
  says: 'change fields of a video; verified',
  input: {
    videoId: idSchema.describe('id of the video'),
    ...videoChangeShape,
    directoryId: idSchema.optional().describe('id of the directory that it moves to'),
  },
  rules: [
    rule(
      'name',
      'is missing: set "name", "description", "directoryId" or "screenshotId"',
      ({ name, description, directoryId, screenshotId }) =>
        [name, description, directoryId, screenshotId].some((value) => value !== undefined),
    ),
  ],
  result: {
    videoId: z.number().int().describe('id of the video'),
    changed: z.boolean().describe('false when the fields were as asked and nothing was sent'),
    before: shownFields.describe('the asked fields, as they were before the call'),
    after: shownFields.describe('the asked fields at the last look'),
  },
  example: { videoId: 7017, name: 'Interview 7, final cut' },
  command: {
    word: 'update-video',
    arguments: ['videoId'],
    options: ['name', 'description', 'directoryId', 'screenshotId'],
  },
  leaves: 'The video has its old fields or the new ones',
  done: ({ videoId }) => `video ${videoId} has the asked fields`,
  undo: 'Start another run with `before` of the result to set them back.',
});
