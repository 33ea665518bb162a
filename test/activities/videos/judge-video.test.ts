import { describe, expect, it } from '@jest/globals';

import { classifyVideoError, judgeVideo } from '../../../src/activities/videos/judge-video.js';

describe('the verdict on a video', () => {
  it.each([
    ['empty', null, 'pending', 'pending'],
    ['empty', '', 'pending', 'pending'],
    ['empty', 'x', 'failed', 'failed'],
    ['pending', null, 'pending', 'pending'],
    ['pending', 'x', 'pending', 'pending'],
    ['viewable', null, 'done', 'pending'],
    ['viewable', 'x', 'done', 'failed'],
    ['ready', null, 'done', 'done'],
    ['ready', 'x', 'done', 'done'],
    ['error', null, 'failed', 'failed'],
    ['error', 'x', 'failed', 'failed'],
    ['new', null, 'pending', 'pending'],
    [undefined, null, 'pending', 'pending'],
  ])('follows from status %s and error %s', (...[status, error, forViewable, forReady]) => {
    expect(judgeVideo({ status, error }, 'viewable').kind).toBe(forViewable);
    expect(judgeVideo({ status, error }, 'ready').kind).toBe(forReady);
  });

  it('is a success with a warning when the video is viewable but has an error', () => {
    expect(judgeVideo({ status: 'viewable', error: 'x' }, 'viewable')).toEqual({
      kind: 'done',
      warning: 'x',
    });
  });
});

describe('the verdict on all qualities of a video', () => {
  const quality = (status?: string, error?: string) => ({ status, error });
  it.each([
    ['viewable', [quality('complete')], { kind: 'pending' }],
    ['ready', undefined, { kind: 'pending', lacks: '[].converted_videos' }],
    ['ready', null, { kind: 'pending', lacks: '[].converted_videos' }],
    ['ready', [], { kind: 'pending' }],
    ['ready', [quality('complete'), quality('processing')], { kind: 'pending' }],
    ['ready', [quality('error', 'x'), quality('processing')], { kind: 'pending' }],
    [
      'ready',
      [quality('complete'), quality()],
      { kind: 'pending', lacks: '[].converted_videos[].status' },
    ],
    ['ready', [quality('complete'), quality('error', 'x')], { kind: 'failed', text: 'x' }],
    ['ready', [quality('error')], { kind: 'failed', text: 'no reason given' }],
    ['ready', [quality('complete'), quality('complete')], { kind: 'done' }],
    ['error', [quality('complete')], { kind: 'failed', text: 'no reason given' }],
  ])('follows from status %s and qualities %j', (status, qualities, verdict) => {
    const video = { status, converted_videos: qualities };
    expect(judgeVideo(video, 'qualities')).toEqual(verdict);
  });

  it('is a failure when the video is viewable and has an error', () => {
    const video = { status: 'viewable', error: 'x', converted_videos: [quality('complete')] };
    expect(judgeVideo(video, 'qualities')).toEqual({ kind: 'failed', text: 'x' });
  });
});

describe('the class of a failure', () => {
  it.each([
    ['Encoding has failed', 'encoding'],
    ['Unable to analyze the origin file', 'bad-file'],
    ['Unable to validate video file', 'bad-file'],
    ['Video file is invalid', 'bad-file'],
    ['The storage limit has been exceeded', 'storage-limit'],
    ['Access to the origin is forbidden', 'origin-forbidden'],
    ['Connection reset by peer', 'origin-connection'],
    ['Network timeout occurred', 'origin-connection'],
    ['The downloaded file is incomplete', 'origin-connection'],
    ['The requested origin was not found', 'origin-not-found'],
    ['Something else', 'other'],
  ])('of %j is %s', (text, kind) => {
    expect(classifyVideoError(text)).toBe(kind);
  });
});
