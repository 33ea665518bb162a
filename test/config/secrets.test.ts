import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { loadWorkerConfig } from '../../src/config.js';
import { loadClearSecrets } from '../../src/config/clear-secrets.js';
import { faultsOf } from './config-faults.js';

const KEY = { GCORE_API_KEY: 'key' };

describe('where the worker looks for secrets', () => {
  it('is the folder if there is one, and the variables otherwise', () => {
    const inFolder = loadWorkerConfig({ ...KEY, GCORE_SECRETS_DIR: tmpdir() });
    const inVariables = loadWorkerConfig({ ...KEY, GCORE_SECRET_WEB: 'x', OTHER: 'y' });

    expect(inFolder.secrets).toEqual({ kind: 'files', folder: tmpdir() });
    expect(inVariables.secrets).toEqual({
      kind: 'environment',
      values: { GCORE_SECRET_WEB: 'x' },
    });
    expect(inVariables.clearSecrets).toBeUndefined();
  });

  it('is AWS when it is asked for, with a prefix before all names', () => {
    const plain = loadWorkerConfig({ ...KEY, GCORE_SECRETS_PROVIDER: 'aws' });
    const own = { GCORE_SECRETS_PROVIDER: 'aws', GCORE_SECRETS_AWS_PREFIX: 'prod/gcore/' };

    expect(plain.secrets).toEqual({ kind: 'aws', prefix: 'gcore-workflows/' });
    expect(loadWorkerConfig({ ...KEY, ...own }).secrets).toMatchObject({ prefix: 'prod/gcore/' });
  });

  it('has all its faults listed, and shows no value', () => {
    const faults = faultsOf({
      ...KEY,
      GCORE_SECRETS_PROVIDER: 'vault',
      GCORE_SECRETS_DIR: 'relative',
      GCORE_SECRETS_AWS_PREFIX: 'p/',
      GCORE_SECRET_web: 'canary',
      GCORE_CLEAR_SECRETS: 'yes',
    });

    expect(faults).toEqual([
      'GCORE_SECRETS_PROVIDER: must be one of files, environment, aws',
      'GCORE_SECRETS_DIR: must be the absolute path of a directory',
      'GCORE_SECRETS_AWS_PREFIX: has no effect, because secrets come from "files": remove it',
      'GCORE_SECRET_web: has no effect, because secrets come from "files": remove it',
      expect.stringMatching(/^GCORE_SECRET_web: no secret has this name/),
      'GCORE_CLEAR_SECRETS: must be "allow" or "refuse"',
    ]);
    expect(faults.join()).not.toContain('canary');
  });

  it.each([
    [
      'files without a folder',
      { GCORE_SECRETS_PROVIDER: 'files' },
      /^GCORE_SECRETS_DIR: is missing/,
    ],
    [
      'a prefix that AWS does not take',
      { GCORE_SECRETS_PROVIDER: 'aws', GCORE_SECRETS_AWS_PREFIX: 'a b' },
      /^GCORE_SECRETS_AWS_PREFIX: must be/,
    ],
    [
      'a folder that nobody reads',
      { GCORE_SECRETS_PROVIDER: 'environment', GCORE_SECRETS_DIR: '/' },
      /^GCORE_SECRETS_DIR: has no effect/,
    ],
  ])('refuses %s', (_, given, fault) => {
    expect(faultsOf({ ...KEY, ...given })).toEqual([expect.stringMatching(fault)]);
  });

  it.each(['GCORE_API_KEY_FILE', 'GCORE_CODEC_KEYS_FILE', 'TEMPORAL_TLS_CLIENT_KEY_PATH'])(
    'never holds what %s names, under any path: an input can send every secret anywhere',
    async (variable) => {
      const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
      await mkdir(join(folder, 'in', 'keys'), { recursive: true });
      await symlink(join(folder, 'in'), join(folder, 'link'));
      await writeFile(join(folder, 'in', 'keys', 'gcore'), 'key');
      const path = join(folder, 'link', 'keys', 'gcore');

      const inside = faultsOf({ [variable]: path, GCORE_SECRETS_DIR: join(folder, 'in') });
      const beside = faultsOf({ [variable]: path, GCORE_SECRETS_DIR: join(folder, 'in', 'keys') });
      await mkdir(join(folder, 'other'));
      const apart = faultsOf({ [variable]: path, GCORE_SECRETS_DIR: join(folder, 'other') });
      await rm(folder, { recursive: true });

      const refused = expect.stringContaining(`GCORE_SECRETS_DIR: must not contain ${path}`);
      expect(inside).toContainEqual(refused);
      expect(beside).toContainEqual(refused);
      expect(apart).not.toContainEqual(refused);
    },
  );
});

describe('the key of an account', () => {
  it('may not be in a variable that an input can name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'accounts-'));
    const file = join(folder, 'accounts.json');
    await writeFile(file, '{"accounts":{"acme":{"keyVariable":"GCORE_SECRET_ACME"}}}');

    const faults = faultsOf({ GCORE_ACCOUNTS_FILE: file, GCORE_SECRET_ACME: 'key' });
    await rm(folder, { recursive: true });

    expect(faults).toEqual([expect.stringMatching(/^GCORE_SECRET_ACME: must not hold an API key/)]);
  });
});

describe('GCORE_CLEAR_SECRETS', () => {
  it('says whether a client may send secrets in clear', () => {
    expect(loadClearSecrets({})).toBeUndefined();
    expect(loadClearSecrets({ GCORE_CLEAR_SECRETS: '' })).toBeUndefined();
    expect(loadClearSecrets({ GCORE_CLEAR_SECRETS: 'allow' })).toBe('allow');
    expect(() => loadClearSecrets({ GCORE_CLEAR_SECRETS: 'Allow' })).toThrow(
      'GCORE_CLEAR_SECRETS: must be "allow" or "refuse"',
    );
  });
});
