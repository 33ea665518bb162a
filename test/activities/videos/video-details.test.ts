import { describe, expect, it } from '@jest/globals';

import { toDetails } from '../../../src/activities/videos/video-details.js';
import { videoSchema } from '../../../src/contract/api/streaming.js';
import { VIDEO_FIELDS } from '../../../src/contract/wire/videos.js';

const video = { id: 1, status: 'ready', client_id: 7, duration: 9_000 };
const detailsOf = (change: object) =>
  toDetails([videoSchema.parse({ ...video, ...change })], VIDEO_FIELDS).details;

describe('the details of a video', () => {
  it('are everything that was asked for', () => {
    const change = {
      name: 'Interview 7',
      slug: 'aB3',
      created_at: '2026-05-04T03:02:00.000Z',
      updated_at: '2026-05-04T03:04:00.000Z',
      priority: -10,
      projection: 'vr360tb',
      ad_id: 5,
      stream_id: 6,
      hls_url: 'https://v.test/videos/7_aB3/master.m3u8',
      hls_cmaf_url: 'https://v.test/videos/7_aB3/master-cmaf.m3u8',
      dash_url: 'https://v.test/videos/7_aB3/master.mpd',
      iframe_url: 'https://v.test/videos/7_aB3',
      poster: 'https://p.test/1.png',
      screenshot: 'https://p.test/0.jpg',
      screenshots: ['https://p.test/1.jpg'],
      converted_videos: [{ name: 'vod720n', width: 1280, height: 720, status: 'complete' }],
    };

    // Each field of the API that a report can have.
    expect(Object.keys({ ...video, ...change }).sort()).toEqual(['id', ...VIDEO_FIELDS].sort());
    expect(detailsOf(change)).toEqual([{ ...video, ...change }]);
  });

  it.each<[string, object]>([
    ['a text that is too long', { slug: 'x'.repeat(1_000_000) }],
    ['a link that is too long', { hls_url: `https://v.test/${'x'.repeat(200)}` }],
    ['a poster that may be where the caller keeps it', { poster: 'https://own.test/p.png' }],
    ['a link that is none', { hls_url: 'javascript:alert(1)' }],
    ['a slug that is none', { slug: 'https://own.test/1' }],
    ['a link with a token', { dash_url: 'https://v.test/p?token=canary' }],
    ['a link with a password', { iframe_url: 'https://me:canary@v.test/p' }],
    ['a screenshot with a signature', { screenshots: ['https://v.test/1.jpg?sig=canary'] }],
    ['what the video does not have', { hls_url: null, slug: '', screenshots: [] }],
    ['a value of another type', { slug: 5, screenshots: 'x', converted_videos: 7 }],
    ['what nobody has asked for', { description: 'x', origin_url: 'https://o.test/1.mp4' }],
  ])('are without %s', (_, change) => {
    expect(detailsOf(change)).toEqual([video]);
  });

  it('have no error texts of qualities, which may repeat credentials', () => {
    const quality = { height: 720, status: 'error', error: 'canary'.repeat(1_000), mp4_url: null };

    expect(detailsOf({ converted_videos: [quality] })).toEqual([
      { ...video, converted_videos: [{ height: 720, status: 'error' }] },
    ]);
  });

  it('are those of the first videos when they are too large together', () => {
    const rows = Array.from({ length: 2_000 }, (_, id) =>
      videoSchema.parse({
        id,
        screenshots: Array.from({ length: 5 }, () => `https://p.test/${'x'.repeat(160)}`),
      }),
    );
    const { details = [] } = toDetails(rows, VIDEO_FIELDS);

    expect(details.length).toBeGreaterThan(1_000);
    expect(JSON.stringify(details).length).toBeLessThanOrEqual(1_000_001);
  });
});
