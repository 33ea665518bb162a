import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { loadWorkerConfig } from '../../src/config.js';
import { faultsOf } from './config-faults.js';

const KEY = '1234$abcdef_9';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gcore-workflows-config-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function keyFile(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('the API key', () => {
  it('may contain a "$"', () => {
    const { accounts } = loadWorkerConfig({ GCORE_API_KEY: '1$HOME$$${x}' });

    expect(accounts).toMatchObject([{ apiKey: '1$HOME$$${x}', keyFile: undefined }]);
  });

  it.each([
    ['with a line break at the end', `${KEY}\n`],
    ['with one of Windows', `${KEY}\r\n`],
    ['with spaces around it', `  ${KEY} `],
    ['bare', KEY],
  ])('is read from a file, %s', (title, content) => {
    const file = keyFile(title, content);

    const { accounts } = loadWorkerConfig({ GCORE_API_KEY_FILE: file });

    expect(accounts).toMatchObject([{ apiKey: KEY, keyFile: file }]);
  });

  it('is refused when both variables are set', () => {
    const file = keyFile('both', KEY);

    const faults = faultsOf({ GCORE_API_KEY: KEY, GCORE_API_KEY_FILE: file });

    expect(faults).toEqual(['GCORE_API_KEY, GCORE_API_KEY_FILE: both are set; set only one']);
  });

  it.each(['', '\n', `${KEY}\n${KEY}\n`, 'GCORE_API_KEY= x'])(
    'is refused when its file holds %j',
    (content) => {
      const file = keyFile('bad', content);

      const faults = faultsOf({ GCORE_API_KEY_FILE: file });

      expect(faults).toEqual([expect.stringMatching(/^GCORE_API_KEY_FILE: must be an API key/)]);
    },
  );

  it('is refused when its file cannot be read', () => {
    const faults = faultsOf({ GCORE_API_KEY_FILE: join(folder, 'not-there') });

    expect(faults).toEqual([
      expect.stringMatching(/^GCORE_API_KEY_FILE: cannot be read \(.*ENOENT/),
    ]);
  });

  it.each(['"abcd"', "'abcd'", 'two words', `${KEY}\n${KEY}`, 'clé-1', ' ', 'a\u0000b'])(
    'is refused as %j',
    (key) => {
      const faults = faultsOf({ GCORE_API_KEY: key });

      expect(faults).toEqual([expect.stringMatching(/^GCORE_API_KEY: must be an API key/)]);
    },
  );

  it.each(['GCORE_PERMANENT_TOKEN', 'GCORE_APIKEY'])(
    'is taken from %s too, with a notice',
    (name) => {
      const { accounts, notices } = loadWorkerConfig({ [name]: KEY });

      expect(accounts).toMatchObject([{ apiKey: KEY, keyVariable: name }]);
      expect(notices).toEqual([`The API key comes from ${name}. Better set GCORE_API_KEY.`]);
    },
  );

  it('comes first from its own variable, without a notice', () => {
    const config = loadWorkerConfig({ GCORE_API_KEY: KEY, GCORE_PERMANENT_TOKEN: 'other' });

    expect(config).toMatchObject({ accounts: [{ apiKey: KEY }], notices: [] });
  });

  it('never appears in a fault', () => {
    const faults = faultsOf({ GCORE_API_KEY: 'canary key', GCORE_BASE_URL: 'x' });

    expect(faults).toHaveLength(2);
    expect(faults.join()).not.toContain('canary');
  });
});
