import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { FailureType } from '../../src/engine/core/failures.js';

const page = readFileSync('docs/failures.md', 'utf8');

describe('docs/failures.md', () => {
  it.each(Object.values(FailureType))('says what %s means and what to do', (type) => {
    const section = page.split(/^## /m).find((text) => text.startsWith(`${type}\n`));

    expect(section?.split('\n- ')).toHaveLength(5);
  });
});
