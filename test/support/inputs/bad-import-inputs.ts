import { badInputsOf, type BadInput } from './bad-input.js';
import { video } from '../worlds/videos.js';

const bad = badInputsOf('importVideos', { videos: [video('a'), video('b')] });
const first = (change: object) => ({ videos: [{ ...video('a'), ...change }] });
const manifest = (name: string, rest: object = {}) => ({
  videos: undefined,
  manifest: { url: `file:${name}`, ...rest },
});

const BROKEN: readonly BadInput[] = [
  bad('no video', { videos: [] }, ['videos', /at least one video/]),
  bad('a video without a name', first({ name: ' ' }), ['videos[0].name', /empty/]),
  bad('an origin with an unknown protocol', first({ origin_url: 'ftp://files.example.test/a' }), [
    'videos[0].origin_url',
    /http, https or sftp/,
  ]),
  bad('a password in the history', first({ origin_url: 'https://me:canary-secret@a.test/a' }), [
    'videos[0].origin_url',
    /credentials.*manifest/,
  ]),
  bad('a header in the history', first({ origin_http_headers: 'Authorization: canary-secret' }), [
    'videos[0].origin_http_headers',
    /manifest/,
  ]),
  bad('a clip without its start', first({ clip_duration_seconds: 5 }), [
    'videos[0].clip_duration_seconds',
    /clip_start_seconds/,
  ]),
  bad('a priority of 11', first({ priority: 11 }), ['videos[0].priority', /-10 to 10/]),
  bad('lines in descending order', { lines: '2 1' }, ['lines', /ascending/]),
  bad('a canary of 0', { canary: 0 }, ['canary', /1/]),
  bad('a tolerance without a unit', { tolerate: 5 }, ['tolerate', /percent/]),
  bad('an unknown outcome', { waitFor: 'seen' }, ['waitFor', /viewable/]),
];

const IMPOSSIBLE: readonly BadInput[] = [
  bad('a line beyond the list', { lines: '3' }, ['lines', /line 3, but the last line is 2/]),
  bad('a missing file', manifest('none.jsonl'), ['manifest.url', /none\.jsonl/]),
  bad('a file with another hash', manifest('videos.jsonl', { sha256: '0'.repeat(64) }), [
    'manifest.sha256',
    /does not match/,
  ]),
  bad('a file with a bad video', manifest('videos-bad.jsonl'), ['line 2, name', /empty/]),
  bad('a line beyond the file', { ...manifest('videos.jsonl'), lines: '9' }, [
    'lines',
    /line 9, but the last line is 1/,
  ]),
];

export const BAD_IMPORT_INPUTS: readonly BadInput[] = [...BROKEN, ...IMPOSSIBLE];

export const IMPORT_MANIFESTS = {
  'videos.jsonl': [video('a')],
  'videos-bad.jsonl': [video('a'), { ...video('b'), name: '' }],
};
