import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { WRITTEN_PAGES } from './written-pages.js';

describe('what the code says is on its pages', () => {
  it.each(Object.entries(WRITTEN_PAGES))(
    '%s is as "npm run docs:write" writes it',
    (path, written) => {
      const page = readFileSync(path, 'utf8');

      expect(page).toBe(written(page));
    },
  );
});
