import { describe, expect, it } from '@jest/globals';

import { until } from '../support/timing/until.js';
import { planOf } from '../support/runs/plan-of.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { stateWithStorages, STORAGES_PATH, writeKeys } from '../support/worlds/sftp-storages.js';
import { KEYS_PATH, PUBLIC_KEY, stateWithKeys } from '../support/worlds/ssh-keys.js';

const INGEST = { name: 'ingest', publicKey: PUBLIC_KEY };
const POST = { method: 'POST', path: KEYS_PATH } as const;

const names = ({ simulator }: Scenario) => simulator.inventory().sshKeys.map(({ name }) => name);

describe('createSshKey', () => {
  it('adds the key, and verifies that the list has it', () =>
    inScenario({ record: 'ssh-key-created' }, async (scenario) => {
      const run = await scenario.start('createSshKey', INGEST);

      expect(await run.result()).toMatchObject({
        keyId: 1,
        name: 'ingest',
        created: true,
        taskIds: [],
        ledger: [{ name: 'add SSH key', state: 'verified', note: 'added: key 1' }],
      });
      expect(names(scenario)).toEqual(['ingest']);
    }));

  it('sends nothing when a key of this name has this public key, whatever its comment', () =>
    inScenario({ state: stateWithKeys([INGEST]) }, async (scenario) => {
      const input = { ...INGEST, publicKey: `${PUBLIC_KEY} someone@example.com` };
      const run = await scenario.start('createSshKey', input);

      expect(await run.result()).toMatchObject({ keyId: 1, created: false });
      expect(scenario.mutations()).toEqual([]);
    }));

  it('refuses a name that another public key has, in a plan too', () =>
    inScenario({ state: stateWithKeys([INGEST]) }, async (scenario) => {
      const input = { name: 'ingest', publicKey: 'ssh-ed25519 AAAAother' };
      const message = 'The key 1 has the name "ingest", with another public key';

      expect(await planOf(scenario, 'createSshKey', { input })).toMatchObject({
        ready: false,
        findings: [{ path: 'name', message }],
      });
      const run = await scenario.start('createSshKey', input);
      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
      expect(scenario.mutations()).toEqual([]);
    }));

  it('finds the key of a call whose answer was lost, and adds no second one', () =>
    inScenario({}, async (scenario) => {
      scenario.simulator.faults.add({ match: POST, action: { kind: 'drop-response' } });

      const run = await scenario.start('createSshKey', INGEST);

      expect(await run.result()).toMatchObject({ keyId: 1, created: true });
      expect(scenario.mutations()).toEqual([`POST ${KEYS_PATH}`]);
    }));
});

describe('createSshKey, beside somebody else', () => {
  it('does not say that it has added the key that somebody adds while its call is turned away', () => {
    const byHand = (request: Request) =>
      fetch(request.url, {
        method: 'POST',
        headers: request.headers,
        body: JSON.stringify({ name: 'ingest', public_key: PUBLIC_KEY }),
      });
    const line = async (request: Request): Promise<Response> => {
      if (request.method !== 'POST') return fetch(request);
      await byHand(request);
      return Response.json({ message: 'Busy' }, { status: 409 });
    };
    return inScenario({ line }, async (scenario) => {
      const run = await scenario.start('createSshKey', INGEST);

      expect(await run.result()).toMatchObject({
        created: false,
        ledger: [{ note: 'it was there: key 1' }],
      });
      expect(names(scenario)).toEqual(['ingest']);
    });
  });
});

describe('deleteSshKey', () => {
  it('deletes the key, and gives back what adds it again', () =>
    inScenario({ state: stateWithKeys([INGEST]), record: 'ssh-key-deleted' }, async (scenario) => {
      const run = await scenario.start('deleteSshKey', { keyId: 1 });

      expect(await run.result()).toMatchObject({ keyId: 1, before: INGEST, taskIds: [] });
      expect(names(scenario)).toEqual([]);
    }));

  it('sends nothing when there is no such key', () =>
    inScenario({}, async (scenario) => {
      const run = await scenario.start('deleteSshKey', { keyId: 1 });

      expect(await run.result()).toMatchObject({ before: null });
      expect(scenario.mutations()).toEqual([]);
    }));

  it('refuses a key that a storage has, in a plan too', () =>
    inScenario(
      { state: stateWithStorages([INGEST], [{ id: 7, sshKeyIds: [1] }]) },
      async (scenario) => {
        const message = 'Key 1 is linked to 1 SFTP storage: 7';

        expect(await planOf(scenario, 'deleteSshKey', { input: { keyId: 1 } })).toMatchObject({
          ready: false,
          findings: [{ path: 'keyId', message }],
        });
        const run = await scenario.start('deleteSshKey', { keyId: 1 });
        expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
        expect(names(scenario)).toEqual(['ingest']);
      },
    ));

  it('refuses a key of a storage that its first list lacks', () =>
    inScenario(
      { state: stateWithStorages([INGEST], [{ id: 7, sshKeyIds: [1] }]) },
      async (scenario) => {
        scenario.simulator.faults.add({
          match: { method: 'GET', path: STORAGES_PATH },
          action: { kind: 'status', status: 200, body: { count: 0, results: [] } },
        });

        const run = await scenario.start('deleteSshKey', { keyId: 1 });

        expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
        expect(scenario.mutations()).toEqual([]);
      },
    ));

  it('refuses a key that somebody links while the API turns the deletion away', () =>
    inScenario({ state: stateWithStorages([INGEST], [{ id: 7 }]) }, async (scenario) => {
      const { simulator } = scenario;
      const match = { method: 'DELETE', path: `${KEYS_PATH}/1`, times: Infinity };
      simulator.faults.add({ match, action: { kind: 'status', status: 409 } });
      const run = await scenario.start('deleteSshKey', { keyId: 1 });
      await until('it was turned away', () => scenario.mutations().length > 0);

      await writeKeys(scenario, 7, [1]);

      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
      expect(names(scenario)).toEqual(['ingest']);
    }));
});
