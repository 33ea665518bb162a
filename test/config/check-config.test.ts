import { describe, expect, it } from '@jest/globals';

import { checkConfig } from '../../src/config/check-config.js';
import { withAccountFiles } from '../support/inputs/account-files.js';

describe('a check of the configuration', () => {
  it('names every part, and shows what the worker would use without secrets', () =>
    withAccountFiles(({ write, accounts }) => {
      const keyFile = write('blue.key', 'canary-1');
      const file = accounts({ blue: { keyFile, projectId: 7 }, green: { keyVariable: 'GREEN' } });

      const report = checkConfig({
        environment: {
          GCORE_ACCOUNTS_FILE: file,
          GCORE_ACCOUNTS: 'blue',
          GREEN: 'canary-2',
          TEMPORAL_ADDRESS: 'temporal.example.test:7233',
          TEMPORAL_API_KEY: 'canary-3',
        },
      });

      expect(report.checks.map(({ name, state, text }) => `${state} ${name}: ${text}`)).toEqual([
        'ok accounts: serves blue; knows green too',
        'ok webhooks: off',
        'ok manifests: off',
        'ok runs: grace time 120 s, watcher on',
        'ok Temporal: temporal.example.test:7233, namespace "default", TLS on',
      ]);
      expect(report).toMatchObject({
        ok: true,
        config: {
          accounts: [{ name: 'blue', projectId: 7, apiKey: `(set, from ${keyFile})` }],
          accountsFile: { path: file, accounts: ['blue', 'green'] },
          temporal: { address: 'temporal.example.test:7233', apiKey: '(set)', tls: true },
        },
      });
      expect(JSON.stringify(report)).not.toContain('canary');
    }));

  it('puts each fault to its part, and says which parts are in order', () =>
    withAccountFiles(({ accounts }) => {
      const file = accounts({ blue: { keyFile: '/is/not/there' }, green: {} });

      const report = checkConfig({
        accountsFile: file,
        environment: {
          GCORE_API_KEY: 'canary',
          GCORE_WEBHOOKS_FILE: '/is/not/there',
          TEMPORAL_TLS: 'TRUE',
          GCORE_TASK_WATCHER: 'yes',
        },
      });

      expect(report.ok).toBe(false);
      expect(report.config).toBeUndefined();
      expect(report.checks.map(({ name, state }) => `${state} ${name}`)).toEqual([
        ...['fault accounts', 'fault runs', 'fault webhooks', 'fault Temporal', 'ok manifests'],
      ]);
      expect(JSON.stringify(report)).not.toContain('canary');
    }));
});
