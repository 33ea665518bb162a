import { readdirSync, readFileSync } from 'node:fs';

import { raw } from 'hono/html';
import type { FC } from 'hono/jsx';
import { Marked } from 'marked';

import { FailureType } from '../../engine/core/failures.js';
import { Layout, type Shell } from './page-layout.js';

/** They come with the package: docs/operate. */
const FOLDER = new URL('../../../docs/operate/', import.meta.url);
const ENDING = '.md';

/** The names of the runbooks that this installation has. */
const NAMES: ReadonlySet<string> = new Set(namesIn(FOLDER));

function namesIn(folder: URL): string[] {
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith(ENDING));
    return files.map((name) => name.slice(0, -ENDING.length));
  } catch {
    // An installation may come without documentation. Its pages have no link to it.
    return [];
  }
}

const OF_FAILURE: Partial<Record<FailureType, string>> = {
  [FailureType.unauthorized]: 'api-key-refused',
  [FailureType.outcomeUnknown]: 'outcome-unknown',
};

/** What an operator reads of a run that is blocked by this. */
export function runbookOf(type: FailureType): string {
  return OF_FAILURE[type] ?? 'runs-blocked';
}

export const RunbookLink: FC<{ name: string }> = ({ name }) =>
  NAMES.has(name) ? (
    <p>
      <a href={pathOfRunbook(name)}>Runbook: {name.replaceAll('-', ' ')}</a>
    </p>
  ) : null;

function pathOfRunbook(name: string): string {
  return `/runbooks/${name}`;
}

/** Other pages of the documentation are not served: their links are plain text. */
const markdown = new Marked({
  async: false,
  renderer: {
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const name = /^([a-z-]+)\.md$/.exec(href)?.[1] ?? '';
      if (NAMES.has(name)) return `<a href="${pathOfRunbook(name)}">${text}</a>`;
      return href === '../page.md' ? `<a href="/runs">${text}</a>` : text;
    },
  },
});

/** The runbook of this name; `undefined` if there is none. */
export function readRunbook(name: string): string | undefined {
  if (!NAMES.has(name)) return undefined;
  return readFileSync(new URL(`${name}${ENDING}`, FOLDER), 'utf8');
}

export const RunbookPage: FC<{ name: string; text: string; shell: Shell }> = ({
  name,
  text,
  shell,
}) => (
  <Layout title={name.replaceAll('-', ' ')} {...shell}>
    <article>{raw(markdown.parse(text, { async: false }))}</article>
  </Layout>
);
