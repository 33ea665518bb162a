import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import {
  isPlainName,
  redact,
  redactAll,
  redactKeyEdges,
} from '../../../src/engine/http/secrets.js';
import { leastCpuMs } from '../../support/timing/least-cpu-ms.js';

const SECRET = `pä"ss/w'o\\rd&<7>`;
const bytes = Buffer.from(SECRET);

/** Ways in which an API may write the secret into an error text. */
const FORMS: Record<string, (secret: string) => string> = {
  'as it is': (secret) => secret,
  'in capital letters': (secret) => secret.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  'escaped for JSON': (secret) => JSON.stringify(secret),
  'escaped for JSON in ASCII': (secret) =>
    JSON.stringify(secret).replace(
      /[^\x20-\x7e]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  'as JSON inside of JSON': (secret) => JSON.stringify(JSON.stringify({ secret })),
  'as a text of Python': (secret) => `'${secret.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  'in a URL': (secret) => encodeURIComponent(secret),
  'in a URL with small letters': (secret) => encodeURIComponent(secret).toLowerCase(),
  'in a form': (secret) => new URLSearchParams({ secret }).toString(),
  'in HTML': (secret) =>
    secret
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  'in hex': (secret) => Buffer.from(secret).toString('hex'),
  'in base64': (secret) => Buffer.from(secret).toString('base64'),
  'in base64 for URLs': (secret) => Buffer.from(secret).toString('base64url'),
  'in base64 after one byte': (secret) => Buffer.from(`:${secret}:`).toString('base64'),
  'in base64 after two bytes': (secret) => Buffer.from(`u:${secret}`).toString('base64'),
};

describe('redact', () => {
  it.each(Object.entries(FORMS))('removes a secret %s', (_title, form) => {
    const text = `The value ${form(SECRET)} is not allowed`;

    const redacted = redact(text, [SECRET]);

    expect(redacted).toContain('[redacted]');
    expect(redacted).toMatch(/^The value .* is not allowed$/);
    for (const part of [SECRET.slice(0, 6), 'rd&<7>', bytes.toString('base64').slice(4, 12)]) {
      expect(redacted.toLowerCase()).not.toContain(form(part).toLowerCase());
    }
  });

  it('removes each part of eight characters or more, wherever a text is cut', () => {
    const letters = fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme-ascii' });
    const property = fc.property(letters, fc.nat(), fc.nat(), (secret, one, other) => {
      const from = one % (secret.length - 7);
      const part = secret.slice(from, from + 8 + (other % (secret.length - from - 7)));
      expect(redact(`\u00a7${part}\u00a7`, [secret])).not.toContain(part);
    });
    fc.assert(property);
  });

  it('removes the beginning, the end and a long part of a very long secret', () => {
    const secret = Array.from({ length: 1_000 }, (_, at) => `line ${at}: ${at * 7919}\n`).join('');
    const parts = [secret.slice(0, 8), secret.slice(-8), secret.slice(5_003, 5_019)];

    const redacted = redactAll(parts, [secret]);

    expect(redacted).toEqual(['[redacted]', '[redacted]', '[redacted]']);
  });

  it('takes seconds, not minutes, for a million bytes of values', async () => {
    const secrets = Array.from({ length: 10_000 }, (_, at) => `${at}-${'x'.repeat(100)}`);
    const redact = () => redactAll(['x'.repeat(4_000), 'refused'], secrets);

    expect(await leastCpuMs(20_000, redact)).toBeLessThan(20_000);
  });

  it.each([
    ['every occurrence', 'a secret-1 and secret-1', ['secret-1'], 'a [redacted] and [redacted]'],
    ['several secrets', 'one-1 two-2', ['one-1', 'two-2'], '[redacted] [redacted]'],
    ['the longer of two secrets', 'abcdefgh', ['abcd', 'abcdefgh'], '[redacted]'],
    ['pattern characters literally', 'a $& b', ['$& b'], 'a [redacted]'],
    ['nothing for an empty value', 'the text', [''], 'the text'],
    ['a name and a password of a URL', 'sftp://u:p@h/a', [], 'sftp://[redacted]@h/a'],
    ['the query of a URL', 'GET https://h/a?X-Sig=1 no', [], 'GET https://h/a?[redacted] no'],
    ['a bearer token', 'Bearer abc.def refused', [], 'Bearer [redacted] refused'],
    ['cookies', 'bad Cookie: a=1; b=2', [], 'bad Cookie: [redacted]'],
    ['control characters', 'a\u001b[2Jb\r\nc', [], 'a [2Jb c'],
  ])('removes %s', (_title, text, ...[secrets, expected]) => {
    expect(redact(text, secrets)).toBe(expected);
  });

  it('withholds a text with a secret that is too short to be replaced, and no other text', () => {
    const redacted = redactAll(['no abc here', 'fine'], ['abc']);

    expect(redacted).toEqual(['[the text is withheld: it repeats a secret]', 'fine']);
  });
});

describe('redactKeyEdges', () => {
  it('removes the first and the last four characters of a key', () => {
    expect(redactKeyEdges('Bad token: 4711…cdef', '4711$0123456789abcdef')).toBe(
      'Bad token: [redacted]…[redacted]',
    );
  });
});

describe('isPlainName', () => {
  it.each(['ValidationError', 'videos[3].origin_url', 'not_authenticated', 'videos.0.name'])(
    'accepts %s',
    (name) => {
      expect(isPlainName(name)).toBe(true);
    },
  );
  it.each(['[redacted]', 'a [redacted]', 'two words', 'a1b2', ''])('refuses "%s"', (name) => {
    expect(isPlainName(name)).toBe(false);
  });
});
