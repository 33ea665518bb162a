import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { locateJsonFault } from '../../../src/cli/input/locate-json-fault.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('locateJsonFault', () => {
  it.each([
    ['a comma too many', '{\n  "a": 1,\n}', 3, 1, 'expected a name in double quotes, found "}"'],
    ['a missing comma', '{"a": 1 "b": 2}', 1, 9, 'expected "," or "}"'],
    ['a missing bracket', '{"a": [1, 2', 1, 12, 'expected "," or "]", found the end'],
    ['no text at all', '', 1, 1, 'expected a value, found the end'],
    ['text after the end', '{}\n{}', 2, 1, 'expected nothing more, found "{"'],
    ['an open string', '{"password": "hun', 1, 14, 'expected a value'],
    ['a word', '{"a": secret}', 1, 7, 'expected a value'],
  ])('finds %s', (_what, text, ...place) => {
    const fault = locateJsonFault(text);

    expect([fault?.line, fault?.column, fault?.message]).toEqual(place);
  });

  it('finds a fault exactly where JSON.parse does', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      ' ',
      '\n',
      '"a"',
      '1',
      '-0.5e3',
      'true',
      'null',
      'x',
      '"',
    );
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

    fc.assert(
      fc.property(fc.oneof(text, fc.json()), (candidate) => {
        expect(locateJsonFault(candidate) === undefined).toBe(isJson(candidate));
      }),
      { numRuns: 2_000 },
    );
  });
});
