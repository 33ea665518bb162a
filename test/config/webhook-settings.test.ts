import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { loadWorkerConfig } from '../../src/config.js';
import { readWebhookSettings } from '../../src/config/webhook-settings.js';
import { faultsOf } from './config-faults.js';
import { newSecret } from '../support/webhooks/receiver.js';

interface Files {
  file: string;
  secretsFolder: string;
}

async function withFiles(use: (files: Files) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'webhook-settings-'));
  const secretsFolder = join(folder, 'secrets');
  await mkdir(secretsFolder);
  await writeFile(join(secretsFolder, 'orders'), newSecret());
  try {
    await use({ file: join(folder, 'webhooks.json'), secretsFolder });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const TARGET = { url: 'https://hooks.example.test/x?token=secret-of-url', secretName: 'orders' };

describe('GCORE_WEBHOOKS_FILE', () => {
  it('says where webhooks may go, how they are signed, and who is told by default', () =>
    withFiles(async ({ file, secretsFolder }) => {
      const settings = {
        hosts: ['Hooks.example.test '],
        secretsFolder,
        secrets: { orders: ['hooks.example.test'] },
        notify: { blue: [TARGET] },
      };
      await writeFile(file, JSON.stringify(settings));

      const { webhooks } = loadWorkerConfig({ GCORE_API_KEY: 'key', GCORE_WEBHOOKS_FILE: file });

      expect(webhooks).toEqual({
        ...settings,
        hosts: ['hooks.example.test'],
        privateHosts: [],
      });
    }));

  it('has all its faults listed, without a URL or a secret', () =>
    withFiles(async ({ file, secretsFolder }) => {
      await writeFile(join(secretsFolder, 'weak'), 'whsec_c2VjcmV0LW9mLWZpbGU=');
      await writeFile(join(secretsFolder, '..data'), 'what Kubernetes keeps here');
      const other = { ...TARGET, url: 'http://10.0.0.1/secret-of-url', secretName: 'gone' };
      const settings = { hosts: ['hooks.example.test'], secretsFolder, notify: { blue: [other] } };
      await writeFile(file, JSON.stringify(settings));

      const faults = faultsOf({ GCORE_API_KEY: 'key', GCORE_WEBHOOKS_FILE: file });

      expect(faults).toEqual([
        expect.stringMatching(/^GCORE_WEBHOOKS_FILE: the signing secret "weak" must be one or two/),
        expect.stringContaining('notify.blue[0]: the worker does not allow the host 10.0.0.1'),
        'GCORE_WEBHOOKS_FILE: notify.blue[0]: there is no signing secret "gone"',
      ]);
      expect(faults.join()).not.toMatch(/secret-of-url|c2VjcmV0/);
    }));

  it.each([
    ['is missing', undefined, 'cannot be read (ENOENT); docs/webhooks.md shows an example'],
    [
      'is no JSON',
      '{ "hosts": secret',
      'is not JSON: line 1, column 12; docs/webhooks.md shows an example',
    ],
    [
      'has a URL for a host',
      '{ "hosts": ["https://a.test"], "secretsFolder": "/" }',
      'hosts: must',
    ],
    [
      'names no folder',
      '{ "secretsFolder": "secrets" }',
      'secretsFolder: must be the absolute path',
    ],
    [
      'has an unknown field',
      '{ "secretsFolder": "/tmp", "host": [] }',
      'host: is not a known field',
    ],
    [
      'names no account',
      '{ "secretsFolder": "/tmp", "notify": { "A B": [] } }',
      'notify.A B: must',
    ],
  ])('that %s is refused', (_, text, fault) =>
    withFiles(async ({ file }) => {
      if (text !== undefined) await writeFile(file, text);

      expect(readWebhookSettings(file)).toEqual({
        faults: expect.arrayContaining([expect.stringContaining(fault)]),
      });
    }),
  );
});
