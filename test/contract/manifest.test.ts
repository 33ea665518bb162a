import { describe, expect, it } from '@jest/globals';

import { manifestName, manifestSchema } from '../../src/contract/manifest.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';

describe('a manifest', () => {
  it.each(['file:a.jsonl', 'file:dir/a b.jsonl', 'https://files.example.test:8443/a?x=1'])(
    'may be %s',
    (url) => {
      expect(parseInput(manifestSchema, { url })).toMatchObject({ ok: true });
    },
  );

  it.each([
    'file:',
    'file:dir/',
    'file:/etc/passwd',
    'file:///etc/passwd',
    'file:a/../../etc/passwd',
    'file:..',
    'file:a\\b',
    'file:a\u0000',
    'http://files.example.test/a',
    'ftp://files.example.test/a',
    'https://user:password@files.example.test/a',
    'https://files.example.test/a\n?sig=password@',
    'https://files.example.test/a b',
    'a.jsonl',
    '',
  ])('refuses %j', (url) => {
    const parsed = parseInput(manifestSchema, { url });

    expect(parsed).toMatchObject({ ok: false, faults: [{ path: 'url' }] });
    expect(JSON.stringify(parsed)).not.toContain('password@');
  });

  it('accepts a SHA-256 of 64 digits, or none', () => {
    expect(parseInput(manifestSchema, { url: 'file:a', sha256: 'abc' })).toMatchObject({
      ok: false,
    });
  });

  it('has a name without the signature of its URL', () => {
    expect(manifestName('https://h.test/a?X-Signature=secret#x')).toBe('https://h.test/a');
    expect(manifestName('https://h.test/a?x\nX-Signature=secret')).toBe('https://h.test/a');
    expect(manifestName('https://me:secret@h.test/a')).toBe('https://h.test/a');
  });
});
