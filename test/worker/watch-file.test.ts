import { describe, expect, it } from '@jest/globals';

import { createSteadyContent, type Content } from '../../src/worker/watch-file.js';

function tellOf(...seen: Content[]): Content[] {
  const told: Content[] = [];
  const see = createSteadyContent((content) => told.push(content));
  for (const content of seen) see(content);
  return told;
}

const empty = { text: '' };
const half = { text: 'ke' };
const whole = { text: 'key' };
const gone = { fault: 'cannot be read (ENOENT)' };

describe('a watched file', () => {
  it('is half-written at one look, and passed on when two looks agree', () => {
    expect(tellOf(empty, half, whole, whole, whole)).toEqual([whole]);
  });

  it('is passed on again when it has changed back', () => {
    expect(tellOf(whole, whole, gone, gone, whole, whole)).toEqual([whole, gone, whole]);
  });

  it('is not reported for a change that lasts for one look', () => {
    expect(tellOf(whole, whole, gone, whole, whole)).toEqual([whole]);
  });
});
