import { describe, expect, it } from '@jest/globals';

import {
  isSameLanguage,
  mayBeNamed,
  mayBeStoredAs,
} from '../../../src/contract/wire/stored-form.js';

describe('the stored form of a text', () => {
  it.each([
    ['itself', 'film 1', 'film 1'],
    ['with squeezed white space', ' film  1\t', 'film 1'],
    ['with joined accents', 'cafe\u0301', 'caf\u00e9'],
    ['without an emoji', 'film \u{1F600} 1', 'film  1'],
    ['with a question mark for an emoji', 'film \u{1F600} 1', 'film ? 1'],
    ['cut at an emoji', 'film \u{1F600} 1', 'film'],
    ['cut at 255 characters', 'x'.repeat(300), 'x'.repeat(255)],
  ])('may be %s', (_, given, stored) => {
    expect(mayBeStoredAs(given, stored)).toBe(true);
  });

  it.each([
    ['another text', 'film 1', 'film 2'],
    ['the beginning of a short text', 'film 10', 'film 1'],
    ['a longer text', 'film', 'film 1'],
  ])('is never %s', (_, given, stored) => {
    expect(mayBeStoredAs(given, stored)).toBe(false);
  });
});

describe('the stored form of a name', () => {
  it.each([
    ['in lower case', 'Web Shop', 'web shop'],
    ['for HTML', 'shop & <web>', 'shop &amp; &lt;web&gt;'],
    ['with joined accents', 'Cafe\u0301', 'caf\u00e9'],
  ])('may be %s', (_, given, stored) => {
    expect(mayBeNamed(given, stored)).toBe(true);
  });

  it('is never another name', () => {
    expect(mayBeNamed('web-1', 'web-2')).toBe(false);
  });
});

describe('the stored form of a language code', () => {
  it.each([
    ['ger', 'ger', true],
    ['ger', 'DEU', true],
    ['ger', 'de-AT', true],
    ['fre', 'fra ', true],
    ['ger', 'eng', false],
    ['ger', 'Deutsch', undefined],
    ['ger', '', undefined],
  ])('of %s may be "%s": %s', (code, shown, isSame) => {
    expect(isSameLanguage(code, shown)).toBe(isSame);
  });
});
