import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import {
  startedByOf,
  cancelReason,
  identityOfCancel,
  toIdentity,
} from '../../../src/engine/core/identity.js';

describe('a name that somebody claims', () => {
  it.each([
    'anna@laptop',
    'gateway:billing',
    '4711@worker-7f9c',
    'temporal-cli:anna@host.example',
    'arn:aws:sts::123456789012:assumed-role/ops/anna',
    'CN=anna,O=Example',
    "Conan O'Brien",
    'Łukasz Żółć',
    'अनिता',
  ])('is shown as it is: %s', (name) => {
    expect(toIdentity(name)).toBe(name);
  });

  it.each([
    ['a line break', 'anna\nroot', 'anna_root'],
    ['an escape code', '\u001b[31mroot', '__31mroot'],
    ['a tag', '<b>root</b>', '_b_root_/b_'],
    ['a link', '[root](javascript:x)', '_root__javascript:x_'],
    ['a cell of a table', 'a|b', 'a_b'],
    ['another direction of writing', 'a\u202eb', 'a_b'],
    ['half a character', 'a\ud800', 'a_'],
  ])('loses %s', (_what, claim, shown) => {
    expect(toIdentity(claim)).toBe(shown);
  });

  it.each<unknown>([undefined, null, 7, '', '   ', {}, { toString: 1 }, ['anna']])(
    'is unknown when it is no name: %j',
    (claim) => {
      expect(toIdentity(claim)).toBe('unknown');
    },
  );

  it('is short and stays the same when it is cleaned again, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (claim) => {
        const name = toIdentity(claim);

        expect(Array.from(name).length).toBeLessThanOrEqual(100);
        expect(name).not.toBe('');
        expect(toIdentity(name)).toBe(name);
      }),
    );
    expect(toIdentity('x'.repeat(10_000_000))).toHaveLength(100);
  });
});

describe('the reason of a cancel request', () => {
  it('names who asks', () => {
    expect(identityOfCancel(cancelReason('anna@laptop'))).toBe('anna@laptop');
  });

  it.each(['', undefined, 'a reason of another client'])('names nobody else: %j', (reason) => {
    expect(identityOfCancel(reason)).toBe('unknown');
  });
});

describe('the memo of a run', () => {
  it.each([
    [{ startedBy: { by: 'anna', as: 'retry' } }, { by: 'anna', as: 'retry' }],
    [{ startedBy: { by: 'a\nb', as: 'root' } }, { by: 'a_b', as: 'start' }],
    [{ startedBy: 'anna' }, undefined],
    [{}, undefined],
    [undefined, undefined],
  ])('says who started it: %j', (memo, startedBy) => {
    expect(startedByOf(memo)).toEqual(startedBy);
  });
});
