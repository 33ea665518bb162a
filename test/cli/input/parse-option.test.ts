import { describe, expect, it } from '@jest/globals';

import { parseIdentity, parseSince } from '../../../src/cli/input/parse-option.js';

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

const NOW = Date.parse('2026-05-04T12:00:00Z');

describe('a time since which', () => {
  it.each([
    ['2h', '2026-05-04T10:00:00.000Z'],
    ['3 days', '2026-05-01T12:00:00.000Z'],
    ['2026-05-03', '2026-05-03T00:00:00.000Z'],
    ['2026-05-03T03:00Z', '2026-05-03T03:00:00.000Z'],
    ['2026-05-03T03:00:01.5Z', '2026-05-03T03:00:01.500Z'],
  ])('%s is %s', (text, time) => {
    expect(parseSince(text, NOW).toISOString()).toBe(time);
  });

  it.each(['2', 'yesterday', '2026-13-01', '2026-05-03T03:00', '', '03:00'])(
    '"%s" is refused',
    (text) => {
      expect(() => parseSince(text, NOW)).toThrow('It must be a time span');
    },
  );
});
