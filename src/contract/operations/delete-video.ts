import { z } from 'zod';

import { videoResource } from '../wire/names.js';
import { idSchema } from './common-input.js';
import { defineAccountChange } from './define-change.js';

export const deleteVideo = defineAccountChange({
  guarantees:
    'Deletes one video by its id, with its renditions, subtitles and screenshots. It succeeds only when the API no longer has it, and sends nothing when there is none. The API restores no video.',
  page: 'videos.md',
  shows: ['videoId'],
  changes: 'video',
  subjects: ({ videoId }) => [videoResource(videoId)],
  failures: { blocks: ['RemovalBlocked'] },
  says: 'delete a video by its id; verified as gone',
  input: { videoId: idSchema.describe('id of the video') },
  result: {
    videoId: z.number().int().describe('id of the video'),
    before: z
      .object({
        name: z.string().nullable().describe('its title, cut at 300 bytes'),
        slug: z.string().nullable().describe('its part of the links'),
        status: z.string().nullable().describe('such as ready'),
        createdAt: z.string().nullable().describe('when it was made'),
      })
      .nullable()
      .describe('the deleted video, as the run saw it first; null: there was none'),
  },
  example: { videoId: 7017 },
  command: { word: 'delete-video', arguments: ['videoId'] },
  leaves: 'The video exists or not',
  done: ({ videoId }) => `there is no video ${videoId} any more`,
  undo: 'Nothing restores it: import it again from its source.',
});
