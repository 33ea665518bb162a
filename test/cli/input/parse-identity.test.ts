import { describe, expect, it } from '@jest/globals';

import { parseIdentity } from '../../../src/cli/input/parse-option.js';

describe('--as', () => {
  it('takes a name', () => {
    expect(parseIdentity('anna@laptop')).toBe('anna@laptop');
  });

  it.each([
    ['a name that is shown in another way', 'anna\n'],
    ['a long name', 'x'.repeat(101)],
    ['nothing', ''],
    ['the word for nobody', 'unknown'],
    ['the name of a token', 'gateway:billing'],
    ['the name of a schedule', 'schedule:nightly'],
  ])('refuses %s', (_what, text) => {
    expect(() => parseIdentity(text)).toThrow('It must be a name of at most 100');
  });
});
