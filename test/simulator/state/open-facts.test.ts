import { expect, it } from '@jest/globals';

import { createSimulator } from '../../../src/simulator/index.js';
import { OPEN_FACTS, openFacts } from '../../../src/simulator/state/open-facts.js';

it('has a default for each open question, which its table names first', () => {
  const facts = Object.entries(openFacts({})).map(([name, value]) => [name, String(value)]);

  expect(facts).toEqual(OPEN_FACTS.map(({ name, values }) => [name, values[0]]));
});

it('says why each default is what it is', () => {
  for (const { says, source } of OPEN_FACTS) {
    expect(says).toMatch(/\w/);
    expect(source).toMatch(/\.$/);
  }
});

it('refuses an answer that no question has, by its name', () => {
  const wrong: object = { profileBirth: 'maybe', apiKey: 'any' };

  expect(() => createSimulator(wrong)).toThrow(/profileBirth: must be one of on, off/);
});
