import { describe, expect, it } from '@jest/globals';

import { plural } from '../../../src/engine/core/text.js';

describe('plural', () => {
  it.each([
    [plural(0, 'key'), '0 keys'],
    [plural(1, 'key'), '1 key'],
    [plural(2, 'key'), '2 keys'],
    [plural(1, 'batch', 'batches'), '1 batch'],
    [plural(2, 'batch', 'batches'), '2 batches'],
  ])('says %s', (text, expected) => {
    expect(text).toBe(expected);
  });
});
