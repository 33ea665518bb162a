import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { loadWorkerConfig } from '../../src/config.js';

const page = readFileSync('docs/configuration.md', 'utf8');
const example = readFileSync('.env.example', 'utf8');

/**
 * Temporal's own variables are those of its CLI; its documentation lists them. What follows a `^` is the beginning of
 * several names.
 */
const NAME = /(?<!\^)\b(?:GCORE|OTEL)_[A-Z0-9_]*[A-Z0-9]\b/g;

/** The only files that may read the environment. */
const sources = [
  'src/config.ts',
  ...readdirSync('src/config').map((name) => join('src/config', name)),
];

function namesIn(text: string): string[] {
  const code = text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(NAME)].map(([name]) => name);
}

const read = [...new Set(sources.flatMap((path) => namesIn(readFileSync(path, 'utf8'))))].sort();

/** Rows of the tables: name and default. */
const rows = [...page.matchAll(/^\| `(?<name>[A-Z0-9_]+)` +\| (?<text>[^|]*[^ |]) +\|/gm)].map(
  ({ groups }) => ({ name: groups?.['name'] ?? '', text: groups?.['text'] ?? '' }),
);

/** Enough for a worker that starts. */
const LEAST = { GCORE_API_KEY: 'a-key', XDG_CONFIG_HOME: '/nowhere', HOME: '/nowhere' };

/** Variables that are a fault without another one. */
const ONLY_WITH: Readonly<Record<string, object>> = {
  GCORE_SECRETS_AWS_PREFIX: { GCORE_SECRETS_PROVIDER: 'aws' },
};

/** Each of these names a secret, so the code knows only how they begin. */
const SECRET = /^GCORE_SECRET_/;

describe('docs/configuration.md', () => {
  it('has tables and a source that this test sees', () => {
    expect(rows.length).toBeGreaterThan(10);
    expect(read).toContain('GCORE_REQUESTS_PER_SECOND');
  });

  it.each(read)('names %s, which the code reads', (name) => {
    expect({ name, isNamed: page.includes(`\`${name}\``) }).toEqual({ name, isNamed: true });
  });

  it.each(rows)('lists $name only because the code reads it', ({ name }) => {
    expect({ name, isRead: read.includes(name) || name.startsWith('TEMPORAL_') }).toEqual({
      name,
      isRead: true,
    });
  });

  const defaults = rows.flatMap(({ name, text }) => {
    const value = /^`(?<value>[^`]+)`$/.exec(text)?.groups?.['value'];
    return value === undefined ? [] : [{ name, value }];
  });

  it.each(defaults)('states the true default of $name: $value', ({ name, value }) => {
    const given = { ...LEAST, ...ONLY_WITH[name] };

    expect(loadWorkerConfig({ ...given, [name]: value })).toEqual(loadWorkerConfig(given));
  });
});

describe('.env.example', () => {
  it.each(rows)('shows $name', ({ name }) => {
    expect({ name, isShown: example.includes(name) }).toEqual({ name, isShown: true });
  });

  it.each([...new Set(namesIn(example.replaceAll('#', '')))])(
    'shows %s because the code reads it',
    (name) => {
      expect({ name, isRead: read.includes(name) || SECRET.test(name) }).toEqual({
        name,
        isRead: true,
      });
    },
  );
});
