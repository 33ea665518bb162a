import { describe, expect, it } from '@jest/globals';

import { parseDuration } from '../../../src/engine/core/times.js';

const REFUSED = { ok: false, message: expect.stringContaining('must be') };

describe('a duration', () => {
  it.each([
    ['digits', `${'1'.repeat(101)} minutes`],
    ['digits after the point', `1.${'0'.repeat(101)} minutes`],
    ['zeros', `${'0'.repeat(101)}5 minutes`],
    ['letters', `1 ${'m'.repeat(101)}`],
  ])('of more %s than anybody writes is refused, and throws nothing', (_, text) => {
    expect(parseDuration(text)).toEqual(REFUSED);
  });
});
