import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

import { MUTATIONS_OF_INPUTS } from '../../bench/mutations-of-inputs.js';
import { MUTATIONS } from '../../bench/mutations.js';

describe('the mutation run', () => {
  it.each([...MUTATIONS, ...MUTATIONS_OF_INPUTS])(
    'finds its line once: $name',
    async ({ file, line }) => {
      const source = await readFile(file, 'utf8');

      expect(source.split(line)).toHaveLength(2);
    },
  );
});
