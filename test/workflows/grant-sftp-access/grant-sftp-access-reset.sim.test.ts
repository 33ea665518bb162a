import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { inScenario } from '../../simulation/scenario.js';
import { resetRun } from '../../support/runs/reset-run.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import { keysOf, stateWithStorages, STORAGES_PATH } from '../../support/worlds/sftp-storages.js';
const STORAGE = `${STORAGES_PATH}/7`;
const STATE = stateWithStorages(
  ['backup', 'ingest', 'audit'].map((name) => ({ name })),
  [{ id: 7, sshKeyIds: [1] }],
);

/** However long a busy machine takes: a read that is held does not end before the test lets it. */
const PATIENT = { state: STATE, replays: false, timeoutMs: 15_000 } as const;

describe('grantSftpAccess', () => {
  it('gives its turn to the next run when it ends after a reset', () =>
    inScenario(PATIENT, async (scenario) => {
      const { start, simulator, client } = scenario;
      const gate = createGate();
      simulator.faults.add({
        match: { method: 'GET', path: STORAGE, times: 1 },
        action: { kind: 'delay', until: gate.opened },
      });
      const run = await start('grantSftpAccess', { storageId: 7, keyNames: ['ingest'] });
      await until('it reads in its turn', () =>
        simulator.requests.some(({ path }) => path === STORAGE),
      );

      const again = await resetRun(client, run, 'the last workflow task');
      gate.open();
      await again.result();
      const next = await start('grantSftpAccess', { storageId: 7, keyNames: ['audit'] });

      await expect(next.result()).resolves.toMatchObject({ changed: true });
      expect(keysOf(scenario, 7)).toEqual([1, 2, 3]);
    }));

  it('waits for its turn again before it writes when it is reset after that has ended', () =>
    inScenario(PATIENT, async (scenario) => {
      const { start, simulator, client } = scenario;
      const first = await start('grantSftpAccess', { storageId: 7, keyNames: ['ingest'] });
      await first.result();
      const gate = createGate();
      simulator.faults.add({
        match: { method: 'GET', path: STORAGE, times: 1 },
        action: { kind: 'delay', until: gate.opened },
      });
      const second = await start('grantSftpAccess', { storageId: 7, keyNames: ['audit'] });
      await until('the second reads in its turn', () =>
        simulator.inFlight().some(({ path }) => path === STORAGE),
      );

      const again = await resetRun(client, first, { sending: 'setSftpStorageKeys' });
      await until('it waits for the second', async () => {
        const { waiting } = await again.query(statusQuery);
        return waiting?.holder === second.workflowId;
      });
      expect(scenario.mutations()).toHaveLength(1);
      gate.open();

      await second.result();
      await again.result();
      expect(keysOf(scenario, 7)).toEqual([1, 2, 3]);
    }));
});
