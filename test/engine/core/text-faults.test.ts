import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';

import { idFaults, textFaults } from '../../../src/engine/core/faults.js';
import { parseInput } from '../../../src/engine/schema/parse-input.js';

const HALF = 'a\ud83d';
const fault = (at: number): string =>
  `has half of a surrogate pair at character ${at}, which is no Unicode: correct the program that wrote it`;

describe('textFaults', () => {
  it('finds a fault exactly where UTF-8 could not carry the value', () => {
    const value = fc.jsonValue({ stringUnit: 'binary' });

    fc.assert(
      fc.property(fc.oneof(value, fc.constantFrom<unknown>(HALF, [HALF], { [HALF]: 1 })), (any) => {
        const text = JSON.stringify(any);
        // JSON.stringify writes half a pair, and nothing else, as such an escape.
        const isIllFormed = /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(text);
        const hasPrototype = text.includes('"__proto__":');

        expect(textFaults(any).length > 0).toBe(isIllFormed || hasPrototype);
      }),
    );
  });

  it('names each place, and shows no half of a pair', () => {
    expect(textFaults({ list: [{ [HALF]: HALF }, 'sound 😀'] })).toEqual([
      { path: 'list[0]', message: `has a name that ${fault(2)}` },
      { path: 'list[0].a\ufffd', message: fault(2) },
    ]);
  });

  it('finds the one name that a record would lose', () => {
    const tags: unknown = JSON.parse('{"tags": {"good": "yes", "__proto__": "lost"}}');

    expect(textFaults(tags)).toEqual([
      { path: 'tags', message: 'has the name __proto__, which nothing can be called' },
    ]);
  });

  it('names at most twenty', () => {
    expect(textFaults(Array.from({ length: 1_000 }, () => HALF))).toHaveLength(20);
  });
});

describe('what is no Unicode', () => {
  it('is refused with the other faults of an input', () => {
    const schema = z.strictObject({ key: z.string(), count: z.number() });

    expect(parseInput(schema, { key: HALF })).toEqual({
      ok: false,
      faults: [
        { path: 'key', message: fault(2) },
        { path: 'count', message: 'is missing' },
      ],
    });
  });

  it('is refused in an id', () => {
    expect(idFaults('requestId', HALF)).toEqual([{ path: 'requestId', message: fault(2) }]);
  });
});
