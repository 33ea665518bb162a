import { randomBytes } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { parseKeyRing, type KeyRing } from '../../src/codec/key-ring.js';

const KEY = randomBytes(32).toString('base64');
const OTHER = randomBytes(32).toString('base64');

function faultsOf(json: unknown, before?: KeyRing): string[] {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  const parsed = parseKeyRing(text, before);
  return parsed.ok ? [] : parsed.faults;
}

describe('a key ring', () => {
  it('has a current key and others', () => {
    const parsed = parseKeyRing(JSON.stringify({ current: 'b', keys: { a: KEY, b: OTHER } }));
    const ring = parsed.ok ? parsed.value : undefined;

    expect(ring?.current).toBe('b');
    expect([...(ring?.keys.keys() ?? [])]).toEqual(['a', 'b']);
    expect(JSON.stringify([...(ring?.keys.values() ?? [])])).not.toContain(KEY);
  });

  it.each([
    ['{', ['is not JSON']],
    [{}, ['current: is missing', 'keys: is missing']],
    [{ keys: { a: KEY } }, ['current: is missing']],
    [{ current: null, keys: {} }, ['keys: must have at least one key']],
    [{ current: 'b', keys: { a: KEY } }, ['current: must be the id of one of the keys']],
    [{ current: 'a', keys: { a: KEY, 'no id': OTHER } }, ['keys.no id: must be 1 to 64 letters']],
    [{ current: 'a', keys: { a: KEY }, more: 1 }, ['more: is not a known field']],
    [{ current: 'a', keys: { a: KEY }, plain: 'no' }, ['plain: must be']],
    [{ current: null, keys: { a: KEY }, plain: 'refuse' }, ['plain: cannot be "refuse" while']],
    [{ current: 'a', keys: { a: KEY, b: KEY } }, ['keys.b: is the same key as "a"']],
    [{ current: 'a', keys: { a: KEY.slice(4), b: 'secret!' } }, ['keys.a: must', 'keys.b: must']],
    [{ current: 'a', keys: { a: Buffer.alloc(32, 'ab').toString('base64') } }, ['keys.a: is no r']],
  ])('is refused with every fault, by its place and without the value (%#)', (json, expected) => {
    const faults = faultsOf(json);

    expect(faults).toHaveLength(expected.length);
    expected.forEach((fault, at) => {
      expect(faults[at]).toContain(fault);
    });
    expect(faults.join()).not.toContain('secret!');
    expect(faults.join()).not.toContain(KEY.slice(4, 12));
  });

  it('may lose a key and gain one, but give none another value', () => {
    const parsed = parseKeyRing(JSON.stringify({ current: 'a', keys: { a: KEY } }));
    const before = parsed.ok ? parsed.value : undefined;

    expect(faultsOf({ current: 'b', keys: { b: OTHER } }, before)).toEqual([]);
    expect(faultsOf({ current: 'a', keys: { a: OTHER } }, before)).toEqual([
      'keys.a: has another value than before; give a new key a new id',
    ]);
  });
});
