import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { describe, expect, it } from '@jest/globals';

const ROOT_PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];

const pages = [
  ...ROOT_PAGES,
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** The text without code: code may contain brackets. */
function proseOf(page: string): string {
  return readFileSync(page, 'utf8')
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll(/`[^`]*`/g, (code) => code.replaceAll(/[[\]()]/g, ''));
}

/** As GitHub makes them: lower case, spaces become hyphens, other punctuation vanishes. */
function anchorsOf(page: string): string[] {
  return [...proseOf(page).matchAll(/^#+ (?<title>.+)$/gm)].map(({ groups }) =>
    (groups?.['title'] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

/** Targets of relative links. A title after the target does not belong to it. */
function linksOf(page: string): string[] {
  return [...proseOf(page).matchAll(/\]\((?<target>[^)\s]+)[^)]*\)/g)]
    .map(({ groups }) => groups?.['target'] ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));
}

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative('.', join(dirname(page), path));
  if (!existsSync(target)) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
}

describe('the documentation', () => {
  it.each(pages)('has no broken link or anchor in %s', (page) => {
    const broken = linksOf(page).filter((link) => isBroken(page, link));

    expect(broken).toEqual([]);
  });

  it('has links that this test sees', () => {
    expect(linksOf('README.md').length).toBeGreaterThan(10);
  });
});
