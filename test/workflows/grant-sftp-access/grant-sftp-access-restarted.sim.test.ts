import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { statusQuery, turnWantedSignal } from '../../../src/engine/core/messages.js';
import { sftpStorageResource } from '../../../src/contract/wire/names.js';
import { turnIdFor } from '../../../src/engine/core/names.js';
import { createHeldLine } from '../held-line.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { keysOf, stateWithStorages } from '../../support/worlds/sftp-storages.js';
import { until } from '../../support/timing/until.js';
const STATE = stateWithStorages(
  [{ name: 'backup' }, { name: 'ingest' }],
  [{ id: 7, sshKeyIds: [1] }],
);
const WANTED = { storageId: 7, keyNames: ['ingest'] };

/** Ends the lock, and waits until the server lists it as ended. */
async function ended(
  { client, account }: Scenario,
  endLock: (lock: WorkflowHandle) => Promise<unknown>,
): Promise<void> {
  const id = turnIdFor(account, sftpStorageResource(7));
  await endLock(client.workflow.getHandle(id));
  const query = `WorkflowId = '${id}' AND ExecutionStatus != 'Running'`;
  await until('the lock has ended', async () => (await client.workflow.count(query)).count > 0);
}

/** How the lock of the terminated run ends before the next run asks for it, if it does. */
const WAYS: readonly [string, string, ((lock: WorkflowHandle) => Promise<unknown>) | null][] = [
  ['it has the same id', 'terminated-access', null],
  ['it has another id', 'next-access', null],
  [
    'another run was called, which is gone',
    'uncalled-access',
    (lock) => lock.signal(turnWantedSignal, { waiter: 'gone-access', behind: [] }),
  ],
  ['the lock was ended by hand', 'freed-access', (lock) => lock.terminate('by an operator')],
];

describe('a run that follows a run that was terminated while it unlinked its key', () => {
  it.each(WAYS)('waits for the old call in flight if %s', async (_, nextId, endLock) => {
    // The second call unlinks.
    const line = createHeldLine('PATCH', 2);
    const settings = { line: line.fetch, state: STATE, speed: 4, timeoutMs: 15_000 };
    await inScenario(settings, async (scenario) => {
      const first = await scenario.start('grantSftpAccess', WANTED, 'terminated-access');
      await until('it has linked its key', () => keysOf(scenario, 7).includes(2));
      await first.cancel();
      await until('it unlinks its key', line.isHeld);
      await first.terminate('by an operator');
      if (endLock !== null) await ended(scenario, endLock);

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
