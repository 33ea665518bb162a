import { describe, expect, it } from '@jest/globals';

import { abortUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import type { SimulatorState } from '../../../src/simulator/index.js';
import { createGate } from '../../support/timing/gate.js';
import { endOfRun, failureOfRun } from '../../support/runs/run-failure.js';
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
const NAMES = ['backup', 'ingest', 'audit', 'films', 'night', 'day'];
const WANTED = { storageId: 7, keyNames: ['ingest'] };
const ELSEWHERE = {
  id: '0e0d5c5e-4a5f-4f0d-8f3e-0f8f4f1c9c11',
  name: 'admin',
  publicKey: 'ssh-ed25519 A',
  projectId: 1,
  sharedInProject: true,
  createdAt: 0,
};

function stateWith(sshKeyIds: number[] = [1], names = NAMES): SimulatorState {
  const keys = names.map((name) => ({ name }));
  return { ...stateWithStorages(keys, [{ id: 7, sshKeyIds }]), cloudSshKeys: [ELSEWHERE] };
}

/** After this the run has linked its key and waits for the storage. */
const untilLinked = (scenario: Scenario): Promise<void> =>
  until('it has linked its key', () => keysOf(scenario, 7).includes(2));

describe('grantSftpAccess refuses', () => {
  it('every unknown name, and says where a name exists in another registry', () =>
    inScenario({ state: stateWith() }, async (scenario) => {
      const keyNames = ['ingest', 'admin', 'nobody'];
      const run = await scenario.start('grantSftpAccess', { storageId: 7, keyNames });

      const { type, details } = await failureOfRun(run);

      expect(type).toBe('InvalidRequest');
      expect(details).toMatchObject({
        step: 'find keys',
        faults: [
          { path: 'keyNames[1]', message: expect.stringContaining('/cloud/v1/ssh_keys/1') },
          { path: 'keyNames[2]', message: expect.stringContaining('check the spelling') },
        ],
      });
      expect(scenario.mutations()).toEqual([]);
    }));

  it('an unknown name also when the key may not read the other registry', () =>
    inScenario({ state: stateWith() }, async ({ start, simulator }) => {
      simulator.faults.add({
        match: { method: 'GET', path: '/cloud/v1/ssh_keys/1' },
        action: { kind: 'status', status: 403 },
      });
      const run = await start('grantSftpAccess', { storageId: 7, keyNames: ['admin'] });

      const { type, message } = await failureOfRun(run);

      expect(type).toBe('InvalidRequest');
      expect(message).toContain('no key of GET /storage/v4/ssh_keys has the name "admin"');
    }));

  it('a name that two keys have, and names their ids', () =>
    inScenario(
      { state: stateWith([1], ['ingest', 'x', 'ingest']) },
      async ({ start, mutations }) => {
        const run = await start('grantSftpAccess', WANTED);

        const { details } = await failureOfRun(run);

        expect(details.faults).toEqual([
          { path: 'keyNames[0]', message: expect.stringContaining('ids 1, 3') },
        ]);
        expect(mutations()).toEqual([]);
      },
    ));

  it('no name because one list lacks it', () =>
    inScenario({ state: stateWith() }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'GET', path: '/storage/v4/ssh_keys' },
        action: { kind: 'status', status: 200, body: { count: 0, results: [] } },
      });
      const run = await scenario.start('grantSftpAccess', WANTED);

      expect(await run.result()).toMatchObject({ changed: true });
    }));

  it('a sixth key, before anything is sent', () =>
    inScenario({ state: stateWith([1, 3, 4, 5, 6]) }, async ({ start, mutations }) => {
      const run = await start('grantSftpAccess', WANTED);

      const { type, message } = await failureOfRun(run);

      expect(type).toBe('InvalidRequest');
      expect(message).toContain('would have 6 keys with ingest; it takes at most 5');
      expect(mutations()).toEqual([]);
    }));

  it('an unknown storage', () =>
    inScenario({ state: stateWith() }, async ({ start }) => {
      const run = await start('grantSftpAccess', { ...WANTED, storageId: 99 });

      expect(await failureOfRun(run)).toMatchObject({
        type: 'NotFound',
        details: { step: 'link keys', path: `${STORAGES_PATH}/99` },
      });
    }));

  it('a storage that is being deleted', () => {
    const state = stateWith();
    const sftpStorages = state.sftpStorages.map((storage) => ({
      ...storage,
      change: 'deleting' as const,
      settledAt: Date.now() + 60_000,
    }));
    return inScenario({ state: { ...state, sftpStorages } }, async ({ start }) => {
      const run = await start('grantSftpAccess', WANTED);

      expect((await failureOfRun(run)).message).toContain('SFTP storage 7 is deleting');
    });
  });

  it('an input with faults, and names each fault by its path', () =>
    inScenario({}, async ({ startRaw, simulator }) => {
      const run = await startRaw('grantSftpAccess', [
        { storageId: 0, keyNames: ['a b', 'c', 'c'] },
      ]);

      const { type, details } = await failureOfRun(run);

      expect(type).toBe('InvalidInput');
      const paths = details.faults?.map(({ path }) => path);
      expect(paths).toEqual(['storageId', 'keyNames[0]', 'keyNames[2]']);
      expect(simulator.requests).toEqual([]);
    }));
});

describe('grantSftpAccess that does not succeed', () => {
  it('unlinks the keys that it linked, and no other', () =>
    inScenario({ state: stateWith(), record: 'access-cancelled' }, async (scenario) => {
      const gate = createGate();
      const delay = { kind: 'delay', until: gate.opened } as const;
      scenario.simulator.faults.add({ match: { ...READ, nth: 2 }, action: delay });
      const run = await scenario.start('grantSftpAccess', WANTED);
      await untilLinked(scenario);
      await writeKeys(scenario, 7, [...keysOf(scenario, 7), 3]);

      await run.cancel();
      gate.open();

      expect(await endOfRun(run)).toMatchObject({ name: 'CancelledFailure' });
      expect(keysOf(scenario, 7)).toEqual([1, 3]);
      expect((await run.query(statusQuery)).steps[1]).toMatchObject({
        state: 'undone',
        resources: [],
      });
    }));

  it('keeps the keys that it linked if the input says so', () =>
    inScenario({ state: stateWith(), speed: 4 }, async (scenario) => {
      const run = await scenario.start('grantSftpAccess', { ...WANTED, onFailure: 'keep' });
      await untilLinked(scenario);

      await run.executeUpdate(abortUpdate, { args: [{}] });
      const { details } = await failureOfRun(run);

      expect(details.resources).toEqual([{ kind: 'ssh-key-link', id: '7/2' }]);
      expect(keysOf(scenario, 7)).toEqual([1, 2]);
      expect((await run.query(statusQuery)).steps[1]).toMatchObject({
        state: 'kept',
        note: 'kept, as onFailure asks',
      });
    }));

  it('keeps the keys that were linked before it', () =>
    inScenario({ state: stateWith([1, 2]) }, async (scenario) => {
      const keyNames = ['ingest', 'audit'];
      scenario.simulator.faults.add({
        match: { ...READ, nth: 2 },
        action: { kind: 'status', status: 400 },
      });
      const run = await scenario.start('grantSftpAccess', { storageId: 7, keyNames });

      await failureOfRun(run);

      expect(keysOf(scenario, 7)).toEqual([1, 2]);
    }));

  it('waits for a call with a lost answer before it undoes the call', () =>
    inScenario(
      { state: stateWith(), timeoutMs: 300, policy: { reconcileGraceMs: 10_000 } },
      async (scenario) => {
        const gate = createGate();
        scenario.simulator.faults.add({
          match: WRITE,
          action: { kind: 'delay', until: gate.opened },
        });
        const run = await scenario.start('grantSftpAccess', WANTED);
        await until('its outcome is unknown', async () => {
          const { steps } = await run.query(statusQuery);
          return steps[1]?.state === 'outcome-unknown';
        });

        const reads = () => scenario.simulator.requests.filter(({ path }) => path === ONE).length;
        const before = reads();
        await run.cancel();
        // The rollback sees nothing to undo yet, because the call is still in flight.
        await until('the rollback has looked', () => reads() > before + 2);
        gate.open();
        await endOfRun(run);

        expect(keysOf(scenario, 7)).toEqual([1]);
      },
    ));

  it('has nothing to undo when its storage is gone', () =>
    inScenario({ state: stateWith(), speed: 4 }, async (scenario) => {
      const { api, simulator } = scenario;
      const run = await scenario.start('grantSftpAccess', WANTED);
      await untilLinked(scenario);

      const headers = { authorization: `apikey ${api.apiKey}` };
      await simulator.fetch(`${api.baseUrl}${ONE}`, { method: 'DELETE', headers });

      expect((await failureOfRun(run)).details.resources).toEqual([]);
      expect((await run.query(statusQuery)).steps[1]?.state).toBe('undone');
    }));
});
