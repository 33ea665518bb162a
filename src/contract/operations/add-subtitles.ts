import { z } from 'zod';

import { subtitleShape } from '../api/videos.js';
import { videoResource } from '../wire/names.js';
import { idSchema } from './common-input.js';
import { defineAccountChange } from './define-change.js';

export const addSubtitles = defineAccountChange({
  guarantees:
    'Adds subtitles to one video. It succeeds only when the video has subtitles of this name and language with this text, or what its call has added. It sends nothing when it has, and never replaces subtitles of this name and language with another text.',
  page: 'videos.md',
  shows: ['videoId', 'name', 'language'],
  changes: 'video',
  subjects: ({ videoId, language, name }) => [
    `${videoResource(videoId)}/subtitles/${language}/${name}`,
  ],
  foundBy: ['videoId', 'language', 'name'],
  says: 'add subtitles to a video, and never twice; verified',
  input: { videoId: idSchema.describe('id of the video'), ...subtitleShape },
  result: {
    videoId: z.number().int().describe('id of the video'),
    subtitleId: z.number().int().describe('id of the subtitles'),
    name: z.string().describe('their title, as the API shows it; cut at 300 bytes'),
    created: z.boolean().describe('false when they were there before and nothing was sent'),
  },
  example: {
    videoId: 7017,
    name: 'English',
    language: 'eng',
    vtt: 'WEBVTT\n\n00:01.000 --> 00:04.000\nGood evening.\n',
  },
  command: {
    word: 'subtitle',
    arguments: ['videoId', 'name', 'language', 'vtt'],
    files: ['vtt'],
  },
  leaves: 'The video has the subtitles or not',
  done: ({ videoId, subtitleId }) => `video ${videoId} has the subtitles ${subtitleId}`,
  undo: 'Delete the subtitles at the API if you do not want them.',
});
