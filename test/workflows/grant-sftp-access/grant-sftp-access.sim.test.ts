import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { pauseUpdate, resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { createGate } from '../../support/timing/gate.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import {
  keysOf,
  stateWithStorages,
  STORAGES_PATH,
  writeKeys,
} from '../../support/worlds/sftp-storages.js';
import { KEYS_PATH } from '../../support/worlds/ssh-keys.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { until } from '../../support/timing/until.js';
const ONE = `${STORAGES_PATH}/7`;
const READ = { method: 'GET', path: ONE };
const WRITE = { method: 'PATCH', path: ONE, userAgent: /grantSftpAccess/ };
const NAMES = ['backup', 'ingest', 'ingest-2', 'audit', 'films', 'night'];
/** Keys 1 to 6. Storage 7 has key 1. */
const STATE = stateWithStorages(
  NAMES.map((name) => ({ name })),
  [{ id: 7, sshKeyIds: [1] }],
);
const WANTED = { storageId: 7, keyNames: ['ingest', 'audit'] };

/** The methods of the runs' calls, without reads of the key list. */
const callsOf = ({ simulator }: Scenario): string[] =>
  simulator.requests
    .filter(({ path, userAgent }) => path !== KEYS_PATH && userAgent !== 'somebody else')
    .map(({ method }) => method);

describe('grantSftpAccess', () => {
  it('adds its keys to the linked ones, waits until the storage is active, and verifies it', () =>
    inScenario({ state: STATE, record: 'access-granted' }, async (scenario) => {
      const run = await scenario.start('grantSftpAccess', WANTED);

      const { ledger, ...result } = await run.result();

      expect(result).toEqual({
        storageId: 7,
        storageName: 'storage-7',
        keys: [
          { id: 2, name: 'ingest', linked: true },
          { id: 4, name: 'audit', linked: true },
        ],
        changed: true,
        restored: [],
        before: [1],
        after: [1, 2, 4],
      });
      expect(ledger).toMatchObject([
        { name: 'find keys', state: 'verified', note: 'ingest (2), audit (4)' },
        {
          name: 'link keys',
          state: 'verified',
          resources: [
            { kind: 'ssh-key-link', id: '7/2' },
            { kind: 'ssh-key-link', id: '7/4' },
          ],
        },
      ]);
      expect(scenario.simulator.inventory().sftpStorages).toMatchObject([
        { provisioning_status: 'active', ssh_key_ids: [1, 2, 4] },
      ]);
      expect(callsOf(scenario).slice(0, 4)).toEqual(['GET', 'GET', 'PATCH', 'GET']);
    }));

  it('sends nothing when all keys are linked', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const run = await scenario.start('grantSftpAccess', { storageId: 7, keyNames: ['backup'] });

      expect(await run.result()).toMatchObject({
        keys: [{ id: 1, linked: false }],
        changed: false,
        after: [1],
      });
      expect(scenario.mutations()).toEqual([]);
    }));

  it('reports no success before the storage is active', () =>
    inScenario({ state: STATE, speed: 4 }, async (scenario) => {
      const run = await scenario.start('grantSftpAccess', WANTED);
      await until('it waits', async () => {
        const { waiting } = await run.query(statusQuery);
        return waiting?.for === 'SFTP storage 7 to become active' && waiting.state === 'updating';
      });

      await run.result();

      expect(scenario.simulator.inventory().sftpStorages).toMatchObject([
        { provisioning_status: 'active' },
      ]);
    }));

  it('does not trust the key list of a storage that is still being created', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const making = { id: 7, name: 'storage-7', provisioning_status: 'creating', ssh_key_ids: [] };
      scenario.simulator.faults.add({
        match: READ,
        action: { kind: 'status', status: 200, body: making },
      });
      const run = await scenario.start('grantSftpAccess', WANTED);

      await run.result();

      expect(callsOf(scenario).slice(0, 4)).toEqual(['GET', 'GET', 'GET', 'PATCH']);
      expect(keysOf(scenario, 7)).toEqual([1, 2, 4]);
    }));

  it('reads the keys again after a pause, and keeps those that were added meanwhile', () =>
    inScenario({ state: STATE, timeoutMs: 15_000 }, async (scenario) => {
      const gate = createGate();
      scenario.simulator.faults.add({ match: READ, action: { kind: 'delay', until: gate.opened } });
      const run = await scenario.start('grantSftpAccess', WANTED);
      await until('it reads', () => scenario.simulator.inFlight().length === 1);

      await run.executeUpdate(pauseUpdate);
      gate.open();
      await untilTaken(run, 'getSftpStorage');
      expect(scenario.mutations()).toEqual([]);
      await writeKeys(scenario, 7, [1, 5]);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();

      expect(keysOf(scenario, 7)).toEqual([1, 5, 2, 4]);
      expect(callsOf(scenario).filter((method) => method === 'PATCH')).toHaveLength(1);
    }));

  it('waits for a valid API key, and accepts another input while it has sent nothing', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { start, simulator, account } = scenario;
      simulator.faults.add({
        match: WRITE,
        action: { kind: 'status', status: 401, body: { error: 'Token is invalid' } },
      });
      const run = await start('grantSftpAccess', WANTED);
      await untilBlocked(run, 'Unauthorized');

      const input = { ...WANTED, keyNames: ['films'], account };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });

      expect(await run.result()).toMatchObject({ keys: [{ name: 'films', linked: true }] });
      expect(keysOf(scenario, 7)).toEqual([1, 5]);
    }));

  it('takes turns with other runs on the same storage, so no run overwrites another', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const names = ['ingest', 'ingest-2', 'audit', 'films'];
      const runs = await Promise.all(
        names.map((name) => scenario.start('grantSftpAccess', { storageId: 7, keyNames: [name] })),
      );

      const results = await Promise.all(runs.map((run) => run.result()));

      expect(keysOf(scenario, 7).sort()).toEqual([1, 2, 3, 4, 5]);
      expect(results.map(({ changed }) => changed)).toEqual([true, true, true, true]);
      expect(scenario.mutations()).toHaveLength(4);
    }));
});

/** Waits until the activity's answer is in the history. The query then makes the run process it. */
async function untilTaken(run: WorkflowHandle, activity: string): Promise<void> {
  await until(`${activity} has answered`, async () => {
    const { events } = await run.fetchHistory();
    const calls = (events ?? []).filter(
      ({ activityTaskScheduledEventAttributes: call }) => call?.activityType?.name === activity,
    );
    const ids = calls.map(({ eventId }) => String(eventId));
    return (events ?? []).some(({ activityTaskCompletedEventAttributes: done }) =>
      ids.includes(String(done?.scheduledEventId)),
    );
  });
  await run.query(statusQuery);
}
