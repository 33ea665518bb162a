import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { parseLine } from '../../src/contract/manifest-lines.js';
import { leastCpuMs } from '../support/timing/least-cpu-ms.js';

const lineOf = (text: string) => ({
  number: 7,
  bytes: Buffer.from(text),
  length: Buffer.byteLength(text),
  offset: 0,
});

describe('a line of a list', () => {
  it.each([
    ['empty objects', `{"a":[${Array(860_000).fill('{}').join(',')}]}`],
    ['names', `{${Array.from({ length: 200_000 }, (_, at) => `"k${at}":1`).join(',')}}`],
  ])('with too many %s is counted, and not parsed', async (_, text) => {
    const parse = () => parseLine(z.unknown(), lineOf(text));

    expect(await leastCpuMs(150, parse)).toBeLessThan(150);
    expect(parse()).toEqual({
      ok: false,
      faults: [{ path: 'line 7', message: expect.stringContaining('40000 values') }],
    });
  });
});
