import { describe, expect, it } from '@jest/globals';
import { DefaultLogger } from '@temporalio/worker';

import { readAccountProfiles } from '../../src/config/account-profiles.js';
import { followAccountsFile } from '../../src/worker/follow-accounts-file.js';
import { withAccountFiles } from '../support/inputs/account-files.js';
import { until } from '../support/timing/until.js';

describe('the accounts file of a running worker', () => {
  it('is not applied when it changes: the log names each change, once', () =>
    withAccountFiles(async ({ write, accounts }) => {
      const before = { blue: { keyVariable: 'A' }, green: { keyVariable: 'B' } };
      const path = accounts(before);
      const read = readAccountProfiles(path);
      const said: unknown[] = [];
      const logger = new DefaultLogger('DEBUG', ({ level, message, meta }) =>
        said.push({ level, message, ...meta }),
      );
      const profiles = read.ok ? read.accounts : {};
      const stop = followAccountsFile({ path, profiles, logger, everyMs: 10 });

      accounts({ blue: { keyVariable: 'C' }, red: { keyVariable: 'D' } });
      await until('the change is noticed', () => said.length === 1);
      write('accounts.json', '{ "accounts": { "blue": { "key": "canary" } } }');
      await until('the faults are noticed', () => said.length === 2);
      accounts(before);
      await until('the end is noticed', () => said.length === 3);
      stop();

      const file = path;
      expect(said).toEqual([
        {
          level: 'WARN',
          message: expect.stringContaining('restart it to apply'),
          file,
          added: ['red'],
          removed: ['green'],
          changed: ['blue'],
        },
        {
          level: 'WARN',
          message: expect.stringContaining('would not start again'),
          file,
          faults: [
            expect.stringContaining('accounts.blue.key: is not a known field'),
            expect.stringContaining('accounts.blue.keyFile: is missing'),
          ],
        },
        { level: 'INFO', message: expect.stringContaining('again as it was'), file },
      ]);
    }));
});
