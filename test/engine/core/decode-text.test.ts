import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { decodeText } from '../../../src/engine/core/decode-text.js';
import { leastCpuMs } from '../../support/timing/least-cpu-ms.js';

const bytesOf = (text: string, encoding: BufferEncoding): Buffer => Buffer.from(text, encoding);

describe('decodeText', () => {
  it('gives the text of any UTF-8, without a byte order mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        fc.pre(!text.includes('\0') && !text.startsWith('\ufeff'));

        expect(decodeText(bytesOf(text, 'utf8'))).toEqual({ ok: true, text });
        expect(decodeText(bytesOf(`\ufeff${text}`, 'utf8'))).toEqual({ ok: true, text });
      }),
    );
  });

  it('never gives a text whose bytes are others', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const decoded = decodeText(bytes);
        const again = decoded.ok ? bytesOf(decoded.text, 'utf8') : Buffer.from(bytes);
        const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf && decoded.ok;

        expect(again).toEqual(Buffer.from(hasMark ? bytes.subarray(3) : bytes));
      }),
    );
  });

  it.each([
    ['an e with an accent in Latin-1', bytesOf('{"name": "é"}', 'latin1'), 11],
    ['its very first byte', Buffer.from([0xff]), 1],
    ['a character that the end cuts', bytesOf('ab€', 'utf8').subarray(0, 4), 3],
    ['the begin of U+FFFD', Buffer.from([0x61, 0xef, 0xbf]), 2],
    ['half a surrogate pair', Buffer.from([0x61, 0xed, 0xa0, 0x80]), 2],
  ])('says from which byte on it is not UTF-8: %s', (_what, bytes, byte) => {
    expect(decodeText(bytes)).toEqual({
      ok: false,
      fault: `is not UTF-8 from byte ${byte} on: save it as UTF-8`,
    });
  });

  it.each([
    ['little', '\ufeff{"a": 1}', false],
    ['little', '{"a": 1}', false],
    ['little', '1', false],
    ['big', '\ufeff{"a": 1}', true],
    ['big', '{"a": 1}', true],
  ])('names UTF-16 (%s endian), with or without a mark: %j', (endian, text, isSwapped) => {
    const bytes = bytesOf(text, 'utf16le');

    expect(decodeText(isSwapped ? bytes.swap16() : bytes)).toEqual({
      ok: false,
      fault: `is UTF-16 (${endian} endian): save it as UTF-8`,
    });
  });

  it('finds the fault of 2 MB in a moment', async () => {
    const bytes = Buffer.alloc(2_000_000, 'a');
    bytes[1_999_999] = 0xe9;

    expect(decodeText(bytes)).toMatchObject({ fault: expect.stringContaining('byte 2000000 ') });
    expect(await leastCpuMs(2_000, () => decodeText(bytes))).toBeLessThan(2_000);
  });
});
