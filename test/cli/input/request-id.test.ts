import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { deriveRequestId, requestIdFromInput } from '../../../src/cli/input/request-id.js';
import { provisionInput } from '../../support/inputs/provision-input.js';

describe('deriveRequestId', () => {
  it('has twelve hexadecimal digits', () => {
    // A change of the rule would make second machines of inputs that were given before.
    expect(deriveRequestId({ b: [1, { d: 'x', c: null }], a: true })).toBe('10ea11db4288');
  });

  it('does not depend on the order of keys, at any depth', () => {
    const first = { a: 1, b: { c: [{ x: 1, y: 2 }], d: 2 } };
    const second = { b: { d: 2, c: [{ y: 2, x: 1 }] }, a: 1 };

    expect(deriveRequestId(first)).toBe(deriveRequestId(second));
  });

  it('depends on the order of items', () => {
    expect(deriveRequestId([1, 2])).not.toBe(deriveRequestId([2, 1]));
  });

  it('does not depend on labels', () => {
    expect(deriveRequestId({ a: 1, labels: { team: 'media' } })).toBe(deriveRequestId({ a: 1 }));
  });

  it('is equal for equal content, and differs for other content', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        const copy: unknown = JSON.parse(JSON.stringify(one));

        expect(deriveRequestId(one)).toBe(deriveRequestId(copy));
        fc.pre(!isSame && !(one instanceof Object && other instanceof Object));
        expect(deriveRequestId(one)).not.toBe(deriveRequestId(other));
      }),
    );
  });
});

describe('requestIdFromInput', () => {
  const clear = provisionInput({ password: 'hunter2' });
  const named = provisionInput({ password: { $secret: 'web' } });
  const encrypting = { codecKeys: () => ({ file: 'keys.json' }) };

  it('makes no id from which a secret of an encrypted input could be guessed', () => {
    const withSecret = () => requestIdFromInput(encrypting, 'provisionInstance', clear);

    expect(withSecret).toThrow(/instance\.password.*not encrypted/);
    expect(requestIdFromInput(encrypting, 'provisionInstance', named)).toBe(deriveRequestId(named));
  });

  it('keeps the ids of inputs that anybody can read: another id would make a second machine', () => {
    const open = { codecKeys: () => undefined };

    expect(requestIdFromInput(open, 'provisionInstance', clear)).toBe(deriveRequestId(clear));
  });
});
