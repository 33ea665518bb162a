import { describe, expect, it } from '@jest/globals';

import { changedVideo } from '../../src/gateway/routes/video-hooks.js';

const read = (text: string) => changedVideo(new TextEncoder().encode(text));

describe('a webhook of the streaming platform', () => {
  it.each([
    ['{"type":"video","message":{"id":7001,"status":"viewable"}}', 7001],
    ['{"type":"video_delete","message":{"id":"7001"}}', 7001],
  ])('names its video: %s', (text, id) => {
    expect(read(text)).toBe(id);
  });

  it.each([
    '',
    'null',
    '{',
    '{"type":"stream","message":{"id":7001}}',
    '{"type":"video"}',
    '{"type":"video","message":{"id":-1}}',
    '{"type":"video","message":{"id":1e300}}',
    '{"type":"video","message":{"id":{}}}',
    '\u0000',
  ])('says nothing else: %s', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('is nested as deep as anybody likes', () => {
    expect(read('['.repeat(1_000_000))).toBeUndefined();
  });

  it('is no text', () => {
    expect(changedVideo(new Uint8Array([0xff, 0xfe, 0x00]))).toBeUndefined();
  });
});
