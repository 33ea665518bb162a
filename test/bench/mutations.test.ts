import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

import { ALL_MUTATIONS } from '../../bench/all-mutations.js';

describe('the mutation run', () => {
  it.each(ALL_MUTATIONS)('finds its line once: $name', async ({ file, line }) => {
    const source = await readFile(file, 'utf8');

    expect(source.split(line)).toHaveLength(2);
  });
});
