import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

import { MUTATIONS_OF_TURNS } from '../../bench/mutations-of-turns.js';
import { MUTATIONS } from '../../bench/mutations.js';

describe('the mutation run', () => {
  it.each([...MUTATIONS, ...MUTATIONS_OF_TURNS])(
    'finds its line once: $name',
    async ({ file, line }) => {
      const source = await readFile(file, 'utf8');

      expect(source.split(line)).toHaveLength(2);
    },
  );
});
