import { readdirSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import { html } from 'hono/html';

import { FailureType } from '../../../src/engine/core/failures.js';
import { readRunbook, RunbookPage, runbookOf } from '../../../src/gateway/pages/runbooks.js';

const NAMES = readdirSync('docs/operate').map((name) => name.replace(/\.md$/, ''));

async function pageOf(name: string): Promise<string> {
  const text = readRunbook(name) ?? '';
  return String(await html`${RunbookPage({ name, text, shell: { secret: '' } })}`);
}

describe('the runbooks', () => {
  it.each(NAMES)('%s is a page that links to pages of the gateway only', async (name) => {
    const page = await pageOf(name);
    const links = [...page.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);
    const allowed = new Set(['/runs', ...NAMES.map((other) => `/runbooks/${other}`)]);

    expect(page).toContain('<h1>');
    expect(page).not.toMatch(/\]\(|^#/m);
    expect(links.filter((href) => href !== undefined && !allowed.has(href))).toEqual([]);
  });

  it('has one for whatever blocks a run', () => {
    const missing = Object.values(FailureType).filter((type) => !NAMES.includes(runbookOf(type)));

    expect(missing).toEqual([]);
  });

  it.each(['nothing', '../../package', '', 'RUNS-BLOCKED'])('has none called %j', (name) => {
    expect(readRunbook(name)).toBeUndefined();
  });
});
