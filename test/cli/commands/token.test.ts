import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, describe, expect, it } from '@jest/globals';

import { findToken } from '../../../src/gateway/tokens.js';
import { parseTokenFile } from '../../../src/tokens/token-file.js';
import { runCaptured } from '../../support/cli/run-captured.js';

const folder = mkdtempSync(join(tmpdir(), 'token-cli-'));
const file = join(folder, 'tokens.json');
const DAY = 86_400_000;

afterEach(() => {
  rmSync(file, { force: true });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const run = (...words: string[]) => runCaptured(['token', ...words, '--tokens', file]);
const stored = () => {
  const parsed = parseTokenFile(readFileSync(file, 'utf8'));
  return parsed.ok ? parsed.tokens : [];
};

describe('token new', () => {
  it('prints a token that the gateway takes, and keeps only its digest, for its owner', async () => {
    const { exitCode, stdout, stderr } = await run('new', 'billing', '--scopes', 'read,run');
    const token = stdout.trim();

    expect(exitCode).toBe(0);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(findToken(stored(), token)).toMatchObject({ name: 'billing', scopes: ['read', 'run'] });
    expect(readFileSync(file, 'utf8') + stderr).not.toContain(token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('ends after 90 days, or when it is told to', async () => {
    await run('new', 'usual', '--scopes', 'read');
    await run('new', 'short', '--scopes', 'read', '--expires', '1 day');
    await run('new', 'prometheus', '--scopes', 'metrics', '--expires', 'never');

    const days = stored().map(({ expiresAt }) => Math.round((expiresAt - Date.now()) / DAY));
    expect(days).toEqual([90, 1, Infinity]);
  });

  it.each([
    [['new', 'a b', '--scopes', 'read'], 'tokens[0].name'],
    [['new', '-', '--scopes', 'read'], 'tokens[0].name'],
    [['new', 'x', '--scopes', 'all'], 'tokens[0].scopes[0]'],
    [['new', 'x', '--scopes', 'hint'], 'tokens[0].accounts'],
    [['new', 'x', '--scopes', 'read', '--operations', 'nothing'], 'tokens[0].operations[0]'],
  ])('refuses %j and writes nothing', async (words, place) => {
    const { exitCode, stdout, stderr } = await run(...words);

    expect(exitCode).toBe(64);
    expect(stderr).toContain(place);
    expect(stdout).toBe('');
    expect(stored).toThrow('ENOENT');
  });
});

describe('token list and check', () => {
  it('show who may call until when, and no digest', async () => {
    await run('new', 'billing', '--scopes', 'read', '--operations', 'protectIp');

    const { stdout } = await run('list');

    const digests = stored().map(({ digest }) => digest.toString('hex'));
    expect(stdout).toMatch(/^billing · read · operations protectIp · until 20/);
    expect(digests).toHaveLength(1);
    expect(stdout).not.toContain(digests[0]);
  });

  it('say which tokens need somebody', async () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const entry = (name: string, more: object) => ({ name, sha256: sha256(name), ...more });
    const tokens = [
      entry('old', { scopes: ['read'], expires: '2020-01-01T00:00:00Z' }),
      entry('soon', { scopes: ['read'], expires: new Date(Date.now() + DAY).toISOString() }),
      entry('for-ever', { scopes: ['operate'], expires: 'never' }),
      entry('mixed', { scopes: ['hint', 'read'], accounts: ['a'], expires: 'never' }),
      entry('sound', { scopes: ['metrics'], expires: 'never' }),
    ];
    writeFileSync(file, JSON.stringify({ tokens }));

    const { exitCode, stdout } = await run('check');

    expect(exitCode).toBe(0);
    expect(stdout.split('\n').map((line) => line.split(':')[0])).toEqual([
      ...[file, 'old', 'soon', 'for-ever', 'mixed', ''],
    ]);
  });

  it('name every fault of the file', async () => {
    writeFileSync(file, '{"tokens": [{ "name": "x" }]}');

    const { exitCode, stderr } = await run('check');

    expect(exitCode).toBe(64);
    expect(stderr).toContain('tokens[0].sha256: is missing');
    expect(stderr).toContain('tokens[0].expires');
  });
});
