import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { createGate } from '../../support/timing/gate.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import {
  keysOf,
  stateWithStorages,
  STORAGES_PATH,
  writeKeys,
} from '../../support/worlds/sftp-storages.js';
import { until } from '../../support/timing/until.js';
const ONE = `${STORAGES_PATH}/7`;
const READ = { method: 'GET', path: ONE };
const WRITE = { method: 'PATCH', path: ONE, userAgent: /grantSftpAccess/ };
const STATE = stateWithStorages(
  ['backup', 'ingest', 'audit'].map((name) => ({ name })),
  [{ id: 7, sshKeyIds: [1] }],
);
const WANTED = { storageId: 7, keyNames: ['ingest'] };

const writesOf = ({ simulator }: Scenario): number =>
  simulator.requests.filter(
    ({ method, userAgent }) => method === 'PATCH' && userAgent !== 'somebody else',
  ).length;

describe('grantSftpAccess beside other writers', () => {
  it('links its keys again when another writer has overwritten them, and keeps the other keys', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const gate = createGate();
      scenario.simulator.faults.add({
        match: WRITE,
        action: { kind: 'delay', afterProcessing: true, until: gate.opened },
      });
      const run = await scenario.start('grantSftpAccess', WANTED);
      await until('it has written', () => keysOf(scenario, 7).length === 2);

      await writeKeys(scenario, 7, [1, 3]);
      gate.open();
      const result = await run.result();

      expect(keysOf(scenario, 7)).toEqual([1, 3, 2]);
      expect(result).toMatchObject({ after: [1, 3, 2], changed: true, restored: [] });
      expect(writesOf(scenario)).toBe(2);
    }));

  it('does not restore a key that another writer has removed', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const gate = createGate();
      scenario.simulator.faults.add({
        match: WRITE,
        action: { kind: 'delay', afterProcessing: true, until: gate.opened },
      });
      const run = await scenario.start('grantSftpAccess', WANTED);
      await until('it has written', () => keysOf(scenario, 7).length === 2);

      await writeKeys(scenario, 7, [2]);
      gate.open();
      await run.result();

      expect(keysOf(scenario, 7)).toEqual([2]);
      expect(writesOf(scenario)).toBe(1);
    }));

  it('gives up, and says why, when another writer changes the keys back ten times', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { faults } = scenario.simulator;
      // Each look, and each comparison before a write, looks as if somebody had changed the keys back.
      const body = { id: 7, name: 'films', provisioning_status: 'active', ssh_key_ids: [1] };
      faults.add({
        match: { ...READ, times: 21 },
        action: { kind: 'status', status: 200, body },
      });
      const run = await scenario.start('grantSftpAccess', WANTED);

      const failed = await failureOfRun(run);

      expect(failed).toMatchObject({ type: 'ResourceBusy', details: { step: 'link keys' } });
      expect(failed.message).toContain('changed the keys of SFTP storage 7 back 10 times');
      expect(keysOf(scenario, 7)).toEqual([1]);
    }));

  it('fails when the API refuses the list with 409', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const action = { kind: 'status', status: 409, body: { error: 'too many keys' } } as const;
      scenario.simulator.faults.add({ match: { ...WRITE, times: Infinity }, action });

      const failure = await failureOfRun(await scenario.start('grantSftpAccess', WANTED));

      expect(failure).toMatchObject({ type: 'InvalidRequest' });
      expect(failure.message).toContain('too many keys');
      expect(writesOf(scenario)).toBe(3);
    }));

  it.each([
    ['the request is lost', { kind: 'drop-request' } as const, 2],
    ['the answer is lost', { kind: 'drop-response' } as const, 1],
    [
      'the API answers 500 after it',
      { kind: 'status', status: 500, afterProcessing: true } as const,
      1,
    ],
    ['the API answers 500 instead', { kind: 'status', status: 500 } as const, 2],
    ['the API is busy with it', { kind: 'status', status: 409 } as const, 2],
    ['the API asks to wait', { kind: 'status', status: 429, retryAfter: '1' } as const, 2],
  ])('continues when %s', (_, action, writes) =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({ match: WRITE, action });
      const run = await scenario.start('grantSftpAccess', WANTED);

      const result = await run.result();

      expect(result).toMatchObject({ after: [1, 2], changed: true });
      expect(writesOf(scenario)).toBe(writes);
    }),
  );

  it('still knows its links when a later call does not even begin', () =>
    // Each look is too old for its change at first.
    inScenario(
      { state: STATE, policy: { freshMs: 5, reconcileGraceMs: 300 } },
      async (scenario) => {
        const { faults, requests } = scenario.simulator;
        faults.add({ match: WRITE, action: { kind: 'drop-response' } });
        const later = { ...WRITE, nth: 2, times: Infinity };
        faults.add({ match: later, action: { kind: 'status', status: 429, retryAfter: '1' } });
        // The effect of the lost call shows late.
        const body = { id: 7, name: 'films', provisioning_status: 'active', ssh_key_ids: [1] };
        const action = { kind: 'status', status: 200, body } as const;
        faults.add({ match: { ...READ, times: Infinity }, action });
        const run = await scenario.start('grantSftpAccess', WANTED);
        await until('a later call is turned away', () =>
          requests.some(({ status }) => status === 429),
        );
        faults.clear();

        const result = await run.result();

        expect(result).toMatchObject({ after: [1, 2], changed: true, keys: [{ linked: true }] });
      },
    ));

  it('restores the keys that its own late call has removed', () =>
    inScenario(
      { state: STATE, timeoutMs: 300, policy: { reconcileGraceMs: 10_000 } },
      async (scenario) => {
        const gate = createGate();
        // The API holds the call. The client gives up, and the API carries the call out later.
        scenario.simulator.faults.add({
          match: WRITE,
          action: { kind: 'delay', until: gate.opened },
        });
        const run = await scenario.start('grantSftpAccess', WANTED);
        await until('its outcome is unknown', async () => {
          const { steps } = await run.query(statusQuery);
          return steps[1]?.state === 'outcome-unknown';
        });

        await writeKeys(scenario, 7, [1, 3]);
        const reads = () => scenario.simulator.requests.filter(({ path }) => path === ONE).length;
        const before = reads();
        await until('the run has seen it', () => reads() > before + 2);
        gate.open();
        const result = await run.result();

        expect(keysOf(scenario, 7)).toEqual([1, 2, 3]);
        expect(result).toMatchObject({ restored: [3], keys: [{ id: 2, linked: true }] });
      },
    ));
});
