import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

import { HTTP_MUTATIONS } from '../../bench/http-mutations.js';
import { MUTATIONS } from '../../bench/mutations.js';

describe('the mutation run', () => {
  it.each([...MUTATIONS, ...HTTP_MUTATIONS])(
    'finds its line once: $name',
    async ({ file, line }) => {
      const source = await readFile(file, 'utf8');

      expect(source.split(line)).toHaveLength(2);
    },
  );
});
