import { afterAll, describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/contract/messages.js';
import { createHeldLine } from '../../support/http/held-line.js';
import { closeScenarios, inScenario } from '../../support/runs/scenario.js';
import { keysOf, stateWithStorages } from '../../support/worlds/sftp-storages.js';
import { until } from '../../support/timing/until.js';

afterAll(closeScenarios);

const STATE = stateWithStorages(
  [{ name: 'backup' }, { name: 'ingest' }],
  [{ id: 7, sshKeyIds: [1] }],
);
const WANTED = { storageId: 7, keyNames: ['ingest'] };

describe('a run that follows a run that was terminated while it unlinked its key', () => {
  it.each([
    ['the same id', 'terminated-access'],
    ['another id', 'next-access'],
  ])('waits for the old call in flight if it has %s', async (_, nextId) => {
    // The second call unlinks.
    const line = createHeldLine('PATCH', 2);
    const settings = { line: line.fetch, state: STATE, speed: 4, timeoutMs: 15_000 };
    await inScenario(settings, async (scenario) => {
      const first = await scenario.start('grantSftpAccess', WANTED, 'terminated-access');
      await until('it has linked its key', () => keysOf(scenario, 7).includes(2));
      await first.cancel();
      await until('it unlinks its key', line.isHeld);
      await first.terminate('by an operator');

      const second = await scenario.start('grantSftpAccess', WANTED, nextId);
      await until('it waits', async () => {
        const { waiting } = await second.query(statusQuery);
        return waiting?.for.includes('late calls of a terminated run') === true;
      });
      line.letGo();
      const { after } = await second.result();

      expect(after).toEqual([1, 2]);
      expect(keysOf(scenario, 7)).toEqual([1, 2]);
    });
  });
});
