import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

const page = readFileSync('docs/threat-model.md', 'utf8').replaceAll(/\s+/g, ' ');
const threats = (/## Threats (?<text>.*) ## Not defended/.exec(page)?.groups?.['text'] ?? '')
  .split(/ - (?=\*\*)/)
  .slice(1);

interface Link {
  text: string;
  path: string;
}

function linksOf(text: string, folder: 'src' | 'test'): Link[] {
  const pattern = new RegExp(`\\[(?<text>[^\\]]+)\\]\\(\\.\\./(?<path>${folder}/[^)]+)\\)`, 'g');
  return [...text.matchAll(pattern)].map(({ groups }) => ({
    text: groups?.['text'] ?? '',
    path: join(groups?.['path'] ?? ''),
  }));
}

/** Whether the file has a test, a suite or a row of a table with these words. */
function hasTest({ text, path }: Link): boolean {
  return existsSync(path) && readFileSync(path, 'utf8').includes(`'${text}'`);
}

describe('docs/threat-model.md', () => {
  it('has threats that this test sees', () => {
    expect(threats.length).toBeGreaterThan(20);
  });

  it.each(threats)('names the code that answers: %s', (threat) => {
    const links = linksOf(threat, 'src');

    expect(links).not.toEqual([]);
    expect(links.filter(({ path }) => !existsSync(path))).toEqual([]);
  });

  it.each(threats)('names a test that is there for: %s', (threat) => {
    const links = linksOf(threat, 'test');

    expect(links).not.toEqual([]);
    expect(links.filter((link) => !hasTest(link))).toEqual([]);
  });

  it('would notice a test that was renamed', () => {
    const path = 'test/docs/downloads.test.ts';

    expect(hasTest({ text: 'is about files that exist', path })).toBe(true);
    expect(hasTest({ text: 'is about files that', path })).toBe(false);
  });
});
