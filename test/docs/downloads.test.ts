import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

const page = readFileSync('docs/downloads.md', 'utf8');

/** Where commands are that somebody runs. Unit tests only name such commands. */
const ROOTS = ['.ci', '.github', 'deploy', 'examples', 'packaging', 'src', 'bench', 'test'];
const FILES = ['Dockerfile', 'docker-compose.yml', 'package.json'];
const SCRIPT = /(?:\.(?:sh|ya?ml|ts|js|py|json|tpl)|\/run|Dockerfile\S*)$/;
const SKIPPED = /node_modules|\/histories\/|\.test\.ts$|package-lock\.json$|\/dashboards?\//;

/** Texts for a person, who may or may not run the command. */
const ADVICE: readonly string[] = [
  'src/cli/services.ts',
  'src/cli/output/error-text.ts',
  'src/config/secrets.ts',
  'test/gateway/pages/browser.ts',
];

/** A line that fetches something from another machine. */
const FETCHES: readonly RegExp[] = [
  /\bnpm (?:ci|install|i|exec)\b(?! or)/,
  /\bnpx (?:--yes|-y)\b/,
  /'(?:pip|-m)',.*'(?:install|download)'|\bpip3? (?:install|download)\b/,
  /\bgo (?:install|run) \S+@/,
  /\b(?:curl|wget)\b.*https?:\/\/(?!127\.|localhost|\$)/,
  /\bapt-get (?:install|download)\b|\bapk add\b/,
  /^FROM (?!build|dependencies)\S+/,
  /^\s+image: ["']?\S+[/:]\S+/,
  /^\s*(?:- )?uses: \S+/,
  /https:\/\/\S+\/archive\//,
];

function scripts(): string[] {
  const below = ROOTS.filter(existsSync).flatMap((root) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  return [...FILES, ...below].filter(
    (path) => SCRIPT.test(path) && !SKIPPED.test(path) && !ADVICE.includes(path),
  );
}

/** Comments name commands too. */
function fetchesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => !/^\s*(?:#|\*|\/\/|\/\*|""")/.test(line));
  return lines.filter((line) => FETCHES.some((pattern) => pattern.test(line)));
}

function isPinned(line: string): boolean {
  const action = /\buses: (?<action>\S+)/.exec(line)?.groups?.['action'];
  if (action === undefined) return true;
  return action.startsWith('./') || /@[0-9a-f]{40}$/.test(action);
}

const fetching = scripts().flatMap((path) => {
  const lines = fetchesOf(readFileSync(path, 'utf8'));
  return lines.length === 0 ? [] : [{ path, lines }];
});

describe('docs/downloads.md', () => {
  it.each(fetching)('says how what $path fetches is checked', ({ path }) => {
    expect({ path, isNamed: page.includes(`\`${path}\``) }).toEqual({ path, isNamed: true });
  });

  it.each(fetching)(
    'has no action of a workflow that its owner can replace: $path',
    ({ lines }) => {
      expect(lines.filter((line) => !isPinned(line))).toEqual([]);
    },
  );

  it('is about files that exist', () => {
    const named = [...page.matchAll(/`(?<path>[\w./-]+\/[\w.-]+\.\w+)`/g)].map(
      ({ groups }) => groups?.['path'] ?? '',
    );

    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('would notice a fetch', () => {
    const seen = [
      'npx --yes thing@1',
      '  curl -L https://example.com/tool | sh',
      'go install example.com/tool@latest',
      'FROM node:22',
      '      - uses: actions/checkout@v4',
      'pip install thing',
    ].map((line) => fetchesOf(line).length);

    expect(seen).toEqual([1, 1, 1, 1, 1, 1]);
    expect(isPinned('- uses: actions/checkout@v4')).toBe(false);
    expect(isPinned(`- uses: actions/checkout@${'a'.repeat(40)}`)).toBe(true);
    expect(fetching.map(({ path }) => basename(path))).toContain('temporal-download.ts');
  });
});

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ integrity: z.string().optional() })),
});

describe('a digest of npm', () => {
  const locks = [
    'package-lock.json',
    '.ci/node-22/package-lock.json',
    '.ci/node-24/package-lock.json',
  ];

  it.each(locks)('is there for each package of %s', (lock) => {
    const { packages } = lockSchema.parse(JSON.parse(readFileSync(lock, 'utf8')));
    const without = Object.entries(packages)
      .filter(([path, { integrity }]) => path !== '' && !/^sha512-/.test(integrity ?? ''))
      .map(([path]) => path);

    expect(without).toEqual([]);
  });
});

describe('a digest of pip', () => {
  it('is there for each package of the example', () => {
    const text = readFileSync('examples/python/requirements.txt', 'utf8');
    const packages = text
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => /^\w/.test(line));

    expect(packages.length).toBeGreaterThan(4);
    for (const line of packages) expect(line).toMatch(/^\S+==\S+ .*--hash=sha256:[0-9a-f]{64}/);
  });
});
