import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { loadAccountNames, loadWorkerConfig } from '../../src/config.js';
import { withAccountFiles, type AccountFiles } from '../support/inputs/account-files.js';
import { faultsOf } from './config-faults.js';
import { newSecret } from '../support/webhooks/receiver.js';

const KEY = '1234$canary-of-blue';
const OTHER_KEY = '5678$canary-of-green';

function blueAndGreen({ write, accounts }: AccountFiles): Record<string, string> {
  const file = accounts({
    blue: { keyFile: write('blue.key', `${KEY}\n`), projectId: 7, regionId: 3, projects: [7, 8] },
    green: { keyVariable: 'GREEN_KEY', baseUrl: 'https://eu.example.test', requestsPerSecond: 2.5 },
  });
  return { GCORE_ACCOUNTS_FILE: file, GREEN_KEY: OTHER_KEY };
}

describe('GCORE_ACCOUNTS_FILE', () => {
  it('gives each account its key, its place and its budget', () =>
    withAccountFiles((files) => {
      const { accounts, accountsFile, notices } = loadWorkerConfig(blueAndGreen(files));

      expect(accounts).toEqual([
        {
          name: 'blue',
          apiKey: KEY,
          keyFile: join(files.folder, 'blue.key'),
          authScheme: 'apikey',
          baseUrl: 'https://api.gcore.com',
          requestsPerSecond: 10,
          projectId: 7,
          regionId: 3,
          projects: [7, 8],
        },
        {
          name: 'green',
          apiKey: OTHER_KEY,
          keyVariable: 'GREEN_KEY',
          authScheme: 'apikey',
          baseUrl: 'https://eu.example.test',
          requestsPerSecond: 2.5,
        },
      ]);
      expect(Object.keys(accountsFile?.profiles ?? {})).toEqual(['blue', 'green']);
      expect(notices).toEqual([]);
    }));

  it('lets a process serve some accounts, without the keys of the others', () =>
    withAccountFiles(({ write, accounts }) => {
      const file = accounts({
        blue: { keyFile: write('blue.key', KEY) },
        green: { keyFile: '/is/not/there' },
      });
      const environment = { GCORE_ACCOUNTS_FILE: file, GCORE_ACCOUNTS: ' blue, blue' };

      const config = loadWorkerConfig(environment);

      expect(config.accounts.map(({ name }) => name)).toEqual(['blue']);
      expect(Object.keys(config.accountsFile?.profiles ?? {})).toEqual(['blue', 'green']);
      expect(loadAccountNames(environment)).toEqual(['blue', 'blue']);
      expect(loadAccountNames({ GCORE_ACCOUNTS_FILE: file })).toEqual(['blue', 'green']);
    }));

  it('has all its faults listed by path, and shows no key', () =>
    withAccountFiles(({ write, accounts }) => {
      const file = accounts({
        'Team A': {},
        blue: { keyFile: 'blue.key', key: KEY, projectId: '7', colour: 'blue' },
        both: { keyFile: write('k', KEY), keyVariable: 'GREEN_KEY' },
        green: { requestsPerSecond: 0, regionId: 1.5, authScheme: 'api key' },
        grey: { keyVariable: 'A-B', baseUrl: 'http://api.gcore.com', projects: [] },
        red: { keyFile: '/k', projectId: 1, projects: [2] },
      });

      const faults = faultsOf({ GCORE_ACCOUNTS_FILE: file });

      expect(faults.map((fault) => fault.split(': ').slice(0, 2).join(' ')).sort()).toEqual([
        'GCORE_ACCOUNTS_FILE accounts.Team A',
        'GCORE_ACCOUNTS_FILE accounts.Team A.keyFile',
        'GCORE_ACCOUNTS_FILE accounts.blue.colour',
        'GCORE_ACCOUNTS_FILE accounts.blue.key',
        'GCORE_ACCOUNTS_FILE accounts.blue.keyFile',
        'GCORE_ACCOUNTS_FILE accounts.blue.projectId',
        'GCORE_ACCOUNTS_FILE accounts.both.keyFile',
        'GCORE_ACCOUNTS_FILE accounts.green.authScheme',
        'GCORE_ACCOUNTS_FILE accounts.green.keyFile',
        'GCORE_ACCOUNTS_FILE accounts.green.regionId',
        'GCORE_ACCOUNTS_FILE accounts.green.requestsPerSecond',
        'GCORE_ACCOUNTS_FILE accounts.grey.baseUrl',
        'GCORE_ACCOUNTS_FILE accounts.grey.keyVariable',
        'GCORE_ACCOUNTS_FILE accounts.grey.projects',
        'GCORE_ACCOUNTS_FILE accounts.red.projectId',
      ]);
      expect(faults.join()).not.toContain('canary');
    }));

  it('has every key that cannot be read listed, and all other faults of the worker', () =>
    withAccountFiles(({ write, accounts }) => {
      const file = accounts({
        blue: { keyFile: '/is/not/there' },
        green: { keyVariable: 'GREEN_KEY' },
        grey: { keyFile: write('grey.key', 'two canary') },
        red: { keyVariable: 'RED_KEY' },
      });

      const faults = faultsOf({
        GCORE_ACCOUNTS_FILE: file,
        RED_KEY: 'a canary',
        TEMPORAL_TLS: 'TRUE',
      });

      expect(faults).toEqual([
        expect.stringMatching(/accounts\.blue\.keyFile: cannot be read \(.*ENOENT/),
        'GCORE_ACCOUNTS_FILE: accounts.green.keyVariable: the variable GREEN_KEY is not set',
        expect.stringContaining('accounts.grey.keyFile: must be an API key'),
        expect.stringContaining('accounts.red.keyVariable: must be an API key'),
        expect.stringContaining('TEMPORAL_TLS: '),
      ]);
      expect(faults.join()).not.toContain('canary');
    }));

  it.each([
    ['is not there', undefined, 'cannot be read (ENOENT)'],
    ['is empty', '', 'is not JSON: line 1, column 1'],
    ['is no JSON', '{\n  "accounts": canary }', 'is not JSON: line 2, column 15'],
    ['names no account', '{ "accounts": {} }', 'accounts: must name an account'],
    ['is a list', '[]', '(input): must be an object'],
    [
      'names an account twice',
      '{ "accounts": { "blue": { "keyVariable": "A" }, "blue": { "keyVariable": "B" } } }',
      'accounts.blue: is there twice',
    ],
  ])('that %s is refused', (_, text, fault) =>
    withAccountFiles(({ write }) => {
      const file = text === undefined ? '/is/not/there' : write('accounts.json', text);

      expect(faultsOf({ GCORE_ACCOUNTS_FILE: file })).toEqual([`GCORE_ACCOUNTS_FILE: ${fault}`]);
    }),
  );

  it.each([
    ['GCORE_API_KEY', 'write "keyVariable" into the account'],
    ['GCORE_API_KEY_FILE', 'write "keyFile" into the account'],
    ['GCORE_CLOUD_PROJECT_ID', 'write "projectId" into the account'],
    ['GCORE_REQUESTS_PER_SECOND', 'write "requestsPerSecond" into the account'],
    ['GCORE_ACCOUNT', 'GCORE_ACCOUNTS says which accounts to serve'],
  ])('beside %s is refused, with what to do', (name, advice) =>
    withAccountFiles((files) => {
      const faults = faultsOf({ ...blueAndGreen(files), [name]: '7' });

      expect(faults).toEqual([
        expect.stringMatching(new RegExp(`^${name}: is set beside GCORE_ACCOUNTS_FILE; unset it`)),
      ]);
      expect(faults[0]).toContain(advice);
    }),
  );

  it('may refer to GCORE_API_KEY itself', () =>
    withAccountFiles(({ accounts }) => {
      const file = accounts({ default: { keyVariable: 'GCORE_API_KEY' } });

      expect(faultsOf({ GCORE_ACCOUNTS_FILE: file, GCORE_API_KEY: KEY })).toEqual([]);
    }));

  it.each([
    ['blue, purple', 'GCORE_ACCOUNTS: the file has no account "purple"; it has blue, green'],
    [' , ', 'GCORE_ACCOUNTS: names no account; unset it to serve all'],
  ])('does not serve %j', (names, fault) =>
    withAccountFiles((files) => {
      expect(faultsOf({ ...blueAndGreen(files), GCORE_ACCOUNTS: names })).toEqual([fault]);
    }),
  );

  it('is needed for GCORE_ACCOUNTS', () => {
    expect(faultsOf({ GCORE_API_KEY: KEY, GCORE_ACCOUNTS: 'blue' })).toEqual([
      expect.stringContaining('set GCORE_ACCOUNTS_FILE too'),
    ]);
  });

  it('says that two accounts share a key', () =>
    withAccountFiles(({ accounts }) => {
      const file = accounts({ blue: { keyVariable: 'K' }, green: { keyVariable: 'K' } });

      const { notices } = loadWorkerConfig({ GCORE_ACCOUNTS_FILE: file, K: KEY });

      expect(notices).toEqual([expect.stringContaining('blue and green have the same API key')]);
    }));
});

describe('the receivers of an account', () => {
  const target = { url: 'https://hooks.example.test/x?token=canary', secretName: 'orders' };

  function webhooksFile({ folder, write }: AccountFiles, notify: Record<string, unknown>): string {
    const secretsFolder = join(folder, 'secrets');
    mkdirSync(secretsFolder);
    write(join('secrets', 'orders'), newSecret());
    const hosts = ['hooks.example.test'];
    const settings = { hosts, secretsFolder, secrets: { orders: hosts }, notify };
    return write('webhooks.json', JSON.stringify(settings));
  }

  it('stand in the accounts file, beside those of the webhooks file', () =>
    withAccountFiles((files) => {
      const { webhooks } = loadWorkerConfig({
        GCORE_ACCOUNTS_FILE: files.accounts({ blue: { keyVariable: 'K', notify: [target] } }),
        GCORE_WEBHOOKS_FILE: webhooksFile(files, { green: [target] }),
        K: KEY,
      });

      expect(webhooks?.notify).toEqual({ blue: [target], green: [target] });
    }));

  it('must be allowed by the webhooks file, and stand in one of the two', () =>
    withAccountFiles((files) => {
      const bad = { url: 'https://elsewhere.test/canary', secretName: 'gone' };
      const faults = faultsOf({
        GCORE_ACCOUNTS_FILE: files.accounts({
          blue: { keyVariable: 'K', notify: [target, bad] },
          green: { keyVariable: 'K', notify: [target] },
        }),
        GCORE_WEBHOOKS_FILE: webhooksFile(files, { green: [target] }),
        K: KEY,
      });

      expect(faults).toEqual([
        expect.stringContaining('accounts.green.notify: GCORE_WEBHOOKS_FILE has "notify.green"'),
        expect.stringContaining('accounts.blue.notify[1]: the worker does not allow the host'),
        expect.stringContaining('accounts.blue.notify[1]: there is no signing secret "gone"'),
      ]);
      expect(faults.join()).not.toContain('canary');
    }));

  it('need the webhooks file', () =>
    withAccountFiles((files) => {
      const file = files.accounts({ blue: { keyVariable: 'K', notify: [target] } });

      expect(faultsOf({ GCORE_ACCOUNTS_FILE: file, K: KEY })).toEqual([
        expect.stringContaining('accounts.blue.notify: needs GCORE_WEBHOOKS_FILE'),
      ]);
    }));
});
