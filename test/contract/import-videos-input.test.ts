import { describe, expect, it } from '@jest/globals';

import { videoItemSchema } from '../../src/contract/api/streaming.js';
import { importVideosInputSchema } from '../../src/contract/operations/import-videos.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';

const video = { name: 'a', origin_url: 'https://files.example.test/a.mp4' };
const full = {
  ...video,
  description: null,
  origin_http_headers: 'Authorization: Bearer abc',
  priority: -10,
  quality_set_id: null,
  clip_start_seconds: 0,
  clip_duration_seconds: 5,
  source_bitrate_limit: true,
  directory_id: 4,
  poster: 'data:image/png;base64,AAAA',
  remote_poster_url: null,
  remove_poster: false,
  screenshot_id: -1,
  client_user_id: 42,
  auto_transcribe_audio_language: 'auto',
  auto_translate_subtitles_language: 'disable',
  projection: 'regular',
  subtitles: [{ language: 'eng', vtt: 'WEBVTT', name: 'English' }],
};

function faultsOf(input: unknown) {
  const parsed = parseInput(importVideosInputSchema, input);
  return parsed.ok ? [] : parsed.faults.map(({ path }) => path);
}

describe('a video of a manifest', () => {
  it('accepts every documented field, credentials too', () => {
    const secret = { ...full, origin_url: 'sftp://login:password@files.example.test/a.mp4' };

    expect(parseInput(videoItemSchema, secret)).toMatchObject({ ok: true });
  });

  it.each(['regular', 'vr360', 'vr180', 'vr360tb'])('accepts the form %s', (projection) => {
    expect(parseInput(videoItemSchema, { ...video, projection })).toMatchObject({ ok: true });
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ origin_url: 'ftp://h/a' }, 'origin_url'],
    [{ origin_url: 'a.mp4' }, 'origin_url'],
    [{ origin_http_headers: 'A: b\r\nC: d' }, 'origin_http_headers'],
    [{ priority: 11 }, 'priority'],
    [{ clip_duration_seconds: 5, clip_start_seconds: null }, 'clip_duration_seconds'],
    [{ poster: 'https://files.example.test/a.png' }, 'poster'],
    [{ client_user_id: 1.5 }, 'client_user_id'],
    [{ client_user_id: '7' }, 'client_user_id'],
    [{ subtitles: [{ language: 'en', vtt: 'WEBVTT' }] }, 'subtitles[0].language'],
    [{ projection: 'vr720' }, 'projection'],
    [{ subtitles: [{ language: 'eng', vtt: '' }] }, 'subtitles[0].vtt'],
    [{ typo: 1 }, 'typo'],
  ])('refuses %j', (change, path) => {
    const parsed = parseInput(videoItemSchema, { ...video, ...change });

    expect(parsed).toMatchObject({ ok: false, faults: [{ path }] });
  });
});

describe('the input of importVideos', () => {
  it.each([
    { videos: [video] },
    { manifest: { url: 'file:a.jsonl' }, canary: 20, tolerate: { percent: 0.5 } },
    { manifest: { url: 'https://h.test/a' }, lines: '1 3-5 100000', waitFor: 'ready' },
    { videos: [{ ...video, projection: 'vr360' }], fields: ['slug'], waitFor: 'qualities' },
    { videos: [video], fields: [] },
  ])('accepts %j', (input) => {
    expect(faultsOf(input)).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['neither list', {}, '(input)'],
    ['both lists', { videos: [video], manifest: { url: 'file:a' } }, '(input)'],
    ['no video', { videos: [] }, 'videos'],
    ['2,001 videos', { videos: Array.from({ length: 2_001 }, () => video) }, 'videos'],
    [
      'more than 1 MiB',
      { videos: Array.from({ length: 110 }, () => ({ ...video, description: 'ä'.repeat(5_000) })) },
      'videos',
    ],
    ['lines that fall', { videos: [video], lines: '3 2' }, 'lines'],
    ['line 0', { videos: [video], lines: '0' }, 'lines'],
    ['lines that are no numbers', { videos: [video], lines: '1,2' }, 'lines'],
    ['both tolerances', { videos: [video], tolerate: { count: 1, percent: 1 } }, 'tolerate'],
    ['an unknown field', { videos: [video], fields: ['origin_url'] }, 'fields[0]'],
    ['a canary of none', { videos: [video], canary: 0 }, 'canary'],
    ['a rollback', { videos: [video], onFailure: 'rollback' }, 'onFailure'],
    ['a place', { videos: [video], projectId: 1 }, 'projectId'],
  ])('refuses %s', (_, input, path) => {
    expect(faultsOf(input)).toContain(path);
  });

  it.each([
    ['origin_url', 'sftp://login:password@files.example.test/a'],
    ['origin_url', 'https://login@files.example.test/a'],
    ['origin_url', 'https://files.example.test/a?X-Amz-Signature=password'],
    ['origin_url', 'https://files.example.test/a?x=1&sig=password'],
    ['origin_url', 'https://files.example.test/a#access_token=password'],
    ['origin_url', 'https://files.example.test/a?v=password0123456789abcdefghij'],
    ['origin_http_headers', 'Authorization: Bearer password'],
    ['remote_poster_url', 'https://login:password@files.example.test/a.png'],
    ['remote_poster_url', 'https://files.example.test/a.png?token=password'],
  ])('refuses inline credentials in %s and points to a manifest', (field, value) => {
    const parsed = parseInput(importVideosInputSchema, { videos: [{ ...video, [field]: value }] });

    expect(parsed).toMatchObject({ ok: false, faults: [{ path: `videos[0].${field}` }] });
    expect(JSON.stringify(parsed)).toContain('manifest');
    expect(JSON.stringify(parsed)).not.toMatch(/password|login@/);
  });

  it.each(['?v=2', '?simulate=not-found', '?author=me&design=dark', '#t=10'])(
    'accepts the harmless query %s',
    (query) => {
      const url = `https://files.example.test/a${query}`;

      expect(faultsOf({ videos: [{ ...video, origin_url: url, remote_poster_url: url }] })).toEqual(
        [],
      );
    },
  );
});
