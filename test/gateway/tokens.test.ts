import { createHash } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { bearerToken, findToken, openTokenStore } from '../../src/gateway/tokens.js';
import { parseTokenFile } from '../../src/tokens/token-file.js';

const hash = (token: string): string => createHash('sha256').update(token).digest('hex');

function fileOf(...tokens: object[]): string {
  return JSON.stringify({ tokens });
}

const reader = { name: 'reader', sha256: hash('secret-1'), scopes: ['read'], expires: 'never' };

describe('a token file', () => {
  it('gives each token its scopes, operations and accounts', () => {
    const limited = { ...reader, operations: ['protectIp'], accounts: ['blue'] };
    const parsed = parseTokenFile(fileOf(limited));
    const tokens = parsed.ok ? parsed.tokens : [];

    expect(findToken(tokens, 'secret-1')).toMatchObject({
      name: 'reader',
      scopes: ['read'],
      operations: ['protectIp'],
      accounts: ['blue'],
    });
    expect(findToken(tokens, 'secret-2')).toBeUndefined();
  });

  it.each([
    ['{', 'is not JSON'],
    ['{}', 'tokens: is missing'],
    [fileOf(), 'tokens'],
    [fileOf({ ...reader, sha256: 'secret-1' }), 'tokens[0].sha256: must be 64 hexadecimal'],
    [fileOf({ ...reader, scopes: ['all'] }), 'tokens[0].scopes[0]'],
    [fileOf({ ...reader, token: 'secret-1' }), 'tokens[0].token: is not a known field'],
    [fileOf(reader, reader), 'tokens[1].name: is there twice'],
    [fileOf({ ...reader, operations: ['dropTables'] }), 'tokens[0].operations[0]'],
    [fileOf(reader, { ...reader, name: 'other' }), 'tokens[1].sha256: is there twice'],
    [fileOf({ ...reader, name: '-' }), 'tokens[0].name'],
    [
      fileOf({ ...reader, sha256: hash('') }),
      'tokens[0].sha256: is of a word that anybody guesses',
    ],
    [fileOf({ ...reader, sha256: hash('test') }), 'tokens[0].sha256: is of a word'],
    [fileOf({ ...reader, expires: undefined }), 'tokens[0].expires: must be a time'],
    [fileOf({ ...reader, scopes: ['hint'] }), 'tokens[0].accounts: is missing'],
    [fileOf({ ...reader, accounts: ['No account'] }), 'tokens[0].accounts[0]'],
  ])('is refused, with the place and without the value (%#)', (text, fault) => {
    const parsed = parseTokenFile(text);
    const faults = parsed.ok ? '' : parsed.faults.join('\n');

    expect(faults).toContain(fault);
    expect(faults).not.toContain('secret-1');
  });
});

describe('a bearer token', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc==', 'abc=='],
    ['Basic abc', undefined],
    ['Bearer a b', undefined],
    [undefined, undefined],
  ])('of %s is %s', (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });
});

describe('a token store', () => {
  let folder = '';
  let file = '';
  const faults: string[] = [];
  const open = () => openTokenStore({ file, freshMs: 0, onFault: (fault) => faults.push(fault) });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tokens-'));
    file = join(folder, 'tokens.json');
    faults.length = 0;
    await writeFile(file, fileOf(reader));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('reads a file again that another one replaces', async () => {
    const store = await open();
    const other = join(folder, 'other.json');
    await writeFile(other, fileOf({ ...reader, sha256: hash('secret-2') }));
    await rename(other, file);

    const tokens = await store.read();

    expect([findToken(tokens, 'secret-1'), findToken(tokens, 'secret-2')?.name]).toEqual([
      undefined,
      'reader',
    ]);
  });

  it('keeps the tokens before a file that is wrong, and says so once', async () => {
    const store = await open();
    await writeFile(file, '{"tokens": "secret-2"}');

    await store.read();
    const tokens = await store.read();

    expect(findToken(tokens, 'secret-1')?.name).toBe('reader');
    expect(faults).toEqual(['tokens: must be a list']);
  });

  it('does not open with a file that is missing or wrong', async () => {
    await writeFile(file, '{}');
    await expect(open()).rejects.toThrow('tokens: is missing');
    await rm(file);
    await expect(open()).rejects.toThrow('cannot be read (ENOENT)');
  });
});
