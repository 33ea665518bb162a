import { afterAll, describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../src/contract/messages.js';
import { closeScenarios, inScenario } from '../support/scenario.js';
import { keysOf, stateWithStorages } from '../support/sftp-storages.js';
import { until } from '../support/until.js';

afterAll(closeScenarios);

const STATE = stateWithStorages(
  [{ name: 'backup' }, { name: 'ingest' }],
  [{ id: 7, sshKeyIds: [1] }],
);
const WANTED = { storageId: 7, keyNames: ['ingest'] };

describe('a run that is terminated while it unlinks its key, and started again at once', () => {
  it('outlasts the call that is still on its way, which would take the key away again', async () => {
    const held: (() => void)[] = [];
    let writes = 0;
    const fetch: typeof globalThis.fetch = async (url, init) => {
      const request = new Request(url, init);
      if (request.method === 'PATCH') writes += 1;
      // The second call unlinks: it is held up on its way.
      if (request.method === 'PATCH' && writes === 2) {
        await new Promise<void>((resolve) => held.push(resolve));
      }
      return globalThis.fetch(request);
    };
    const settings = { calls: { fetch }, state: STATE, speed: 4, timeoutMs: 15_000 };
    await inScenario(settings, async (scenario) => {
      const first = await scenario.start('grantSftpAccess', WANTED, 'terminated-access');
      await until('it has linked its key', () => keysOf(scenario, 7).includes(2));
      await first.cancel();
      await until('it unlinks its key', () => held.length === 1);
      await first.terminate('by an operator');

      const second = await scenario.start('grantSftpAccess', WANTED, 'terminated-access');
      await until('it waits', async () => {
        const { waiting } = await second.query(statusQuery);
        return waiting?.for.includes('earlier run of this request') === true;
      });
      held[0]?.();
      const { after } = await second.result();

      expect(after).toEqual([1, 2]);
      expect(keysOf(scenario, 7)).toEqual([1, 2]);
    });
  });
});
