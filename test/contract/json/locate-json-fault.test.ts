import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { locateJsonFault } from '../../../src/contract/parse-json.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const QUOTES = 'unknown word: names and texts need double quotes';

describe('locateJsonFault', () => {
  it.each([
    ['a trailing comma', '{\n  "a": 1,\n}', 3, 1, 'expected a name in double quotes, found "}"'],
    ['a trailing comma in a list', '[1, ]', 1, 5, 'expected a value, found "]"'],
    ['a missing comma', '{"a": 1 "b": 2}', 1, 9, 'expected "," or a closing bracket'],
    ['a missing colon', '{"a" 1}', 1, 6, 'expected ":"'],
    ['a missing bracket', '{"a": [1, 2', 1, 12, 'expected "," or "]", found the end'],
    ['a missing brace', '{"a": 1', 1, 8, 'expected "," or "}", found the end'],
    ['an empty text', '', 1, 1, 'expected a value, found the end'],
    ['text after the end', '{}\n{}', 2, 1, 'expected nothing more, found "{"'],
    ['a bare word', '{"a": secret}', 1, 7, QUOTES],
    ['a name without quotes', '{\n  a: 1}', 2, 3, QUOTES],
    ['single quotes', "{'a': 1}", 1, 2, QUOTES],
    ['a comment', '{} // none', 1, 4, 'JSON has no comments'],
    [
      'an unclosed text',
      '{"password": "hun',
      1,
      14,
      'this text has no closing double quote on its line',
    ],
    ['an unknown escape', '["\\x"]', 1, 2, 'this text has an unknown character after "\\"'],
    ['a short escape', '["\\u12"]', 1, 2, 'this text needs four hexadecimal digits after "\\u"'],
    [
      'a tab in a text',
      '["\t"]',
      1,
      2,
      expect.stringMatching(/a tab or another control character/),
    ],
    ['half a number', '[1.]', 1, 2, 'this number is incomplete'],
  ])('finds %s', (_what, text, ...place) => {
    const fault = locateJsonFault(text);

    expect([fault?.line, fault?.column, fault?.message]).toEqual(place);
  });

  it('finds a fault exactly when JSON.parse fails', () => {
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
      '//',
      '\\',
      '\t',
      '.',
      '"',
    );
    const text = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''));

    fc.assert(
      fc.property(fc.oneof(text, fc.json()), (candidate) => {
        expect(locateJsonFault(candidate) === undefined).toBe(isJson(candidate));
      }),
      { numRuns: 2_000 },
    );
  });
});
