import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { FailureType } from '../../src/engine/core/failures.js';
import { failuresPage } from './failures-page.js';

const page = readFileSync('docs/failures.md', 'utf8');

describe('docs/failures.md', () => {
  it('is what the code says: "npm run docs:write" writes it again', () => {
    expect(page).toBe(failuresPage());
  });

  it.each(Object.values(FailureType))('says what %s means and what to do', (type) => {
    const section = page.split(/^## /m).find((text) => text.startsWith(`${type}\n`));

    expect(section?.split('\n- ')).toHaveLength(5);
  });
});
