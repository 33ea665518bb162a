import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { redact } from '../../../src/engine/http/secrets.js';

/** What makes each form differ: quotes, marks of HTML and URLs, a slash, letters that are not ASCII. */
const SECRET = `Zürich's <b>"pa/ss"</b> & (so-on)!*`;
const SHORT_PART = 8;

const percent = (text: string) =>
  [...new TextEncoder().encode(text)]
    .map((byte) => {
      const sign = String.fromCharCode(byte);
      return /[\w.~-]/.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
const bytesOf = (text: string) =>
  [...new TextEncoder().encode(text)]
    .map((byte) => {
      const sign = String.fromCharCode(byte);
      if (sign === "'" || sign === '\\') return `\\${sign}`;
      return byte > 0x1f && byte < 0x7f ? sign : `\\x${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const html = (text: string, write: (code: number) => string) =>
  text.replace(/[&<>"']/g, (sign) => write(sign.charCodeAt(0)));

const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'as JSON': (secret) => JSON.stringify(secret),
  'as JSON in JSON': (secret) => JSON.stringify(JSON.stringify(secret)),
  'as a URL of JavaScript': encodeURIComponent,
  'as a URL of Python': (secret) => percent(secret).replaceAll('%2F', '/'),
  'as a URL that escapes everything': percent,
  'as a URL in a URL': (secret) => encodeURIComponent(percent(secret)),
  'as bytes of Python': (secret) => `b'${bytesOf(secret)}'`,
  'as HTML in decimal': (secret) => html(secret, (code) => `&#${code};`),
  'as HTML in hexadecimal': (secret) => html(secret, (code) => `&#x${code.toString(16)};`),
  'as HTML of Go': (secret) =>
    html(
      secret,
      (code) => ({ 34: '&#34;', 38: '&amp;', 39: '&#39;', 60: '&lt;', 62: '&gt;' })[code] ?? '',
    ),
  'as HTML of Python': (secret) =>
    html(
      secret,
      (code) => ({ 34: '&quot;', 38: '&amp;', 39: '&#x27;', 60: '&lt;', 62: '&gt;' })[code] ?? '',
    ),
  'in base64': base64,
  'in base64 of its JSON': (secret) => base64(JSON.stringify({ password: secret })),
};

describe('a text that repeats a secret', () => {
  it.each(Object.entries(FORMS))('%s shows no part of it', (_, write) => {
    const written = write(SECRET);

    const seen = redact(`the value ${written} is not accepted`, [SECRET]);

    const parts = Array.from({ length: written.length - SHORT_PART }, (__, at) =>
      written.slice(at, at + SHORT_PART),
    );
    // The name of the field in the JSON is no secret, nor are the quotes around it.
    const own = parts.slice(written.startsWith('eyJ') ? 16 : 2, -4);
    expect(own.filter((part) => seen.includes(part))).toEqual([]);
    expect(seen).toMatch(/^the value /);
  });

  it('shows no part of any other either', () => {
    const secret = fc.string({ unit: 'grapheme', minLength: 12, maxLength: 40 });

    fc.assert(
      fc.property(secret, fc.constantFrom(...Object.values(FORMS)), (any, write) => {
        const middle = write(any).slice(24, -8);

        expect(middle.length > SHORT_PART && redact(write(any), [any]).includes(middle)).toBe(
          false,
        );
      }),
    );
  });
});
