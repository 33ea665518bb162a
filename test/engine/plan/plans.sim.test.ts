import { describe, expect, it } from '@jest/globals';

import { plannedSchema } from '../../../src/contract/index.js';
import { OPERATION_CASES } from '../../support/operations/index.js';
import { planOf } from '../../support/runs/plan-of.js';
import { inScenario } from '../../simulation/scenario.js';
import { stateWithStorages } from '../../support/worlds/sftp-storages.js';
import { manyKeys, stateWithKeys } from '../../support/worlds/ssh-keys.js';
describe.each(OPERATION_CASES)('a plan of $operation', ({ operation, input, state }) => {
  it('lists calls and changes nothing', () =>
    inScenario({ ...(state && { state }) }, async ({ client, taskQueue, account, simulator }) => {
      const before = simulator.snapshot();
      const run = await client.workflow.start(operation, {
        workflowId: `plan/${operation}/${account}`,
        taskQueue,
        args: [{ ...input('plan-0'), account, planOnly: true }],
      });

      const { plan } = plannedSchema.parse(await run.result());

      expect(plan).toMatchObject({ operation, ready: true });
      expect(plan.calls.length).toBeGreaterThan(0);
      expect(simulator.mutations()).toEqual([]);
      expect(simulator.snapshot()).toEqual(before);
    }));
});

describe('the plan of listSshKeys', () => {
  it('says how many keys there are', () =>
    inScenario({ state: stateWithKeys(manyKeys(2_500)) }, async (scenario) => {
      const plan = await planOf(scenario, 'listSshKeys', { input: {} });

      expect(plan).toEqual({
        operation: 'listSshKeys',
        ready: true,
        findings: [],
        adopts: [],
        irreversible: [],
        calls: [
          { method: 'GET', path: '/storage/v4/ssh_keys', purpose: 'read 2500 keys, 3 pages' },
        ],
      });
      expect(scenario.simulator.requests).toHaveLength(1);
    }));
});

describe('the plan of grantSftpAccess', () => {
  const NAMES = ['backup', 'ingest', 'audit', 'films', 'night', 'ingest-2'];
  const keys = NAMES.map((name) => ({ name }));

  it('says which keys are linked and which call links the others', () =>
    inScenario(
      { state: stateWithStorages(keys, [{ id: 7, sshKeyIds: [1, 3] }]) },
      async (scenario) => {
        const input = { storageId: 7, keyNames: ['ingest', 'audit'] };
        const plan = await planOf(scenario, 'grantSftpAccess', { input });
        const done = await planOf(scenario, 'grantSftpAccess', {
          input: { ...input, keyNames: ['audit'] },
        });

        expect(plan).toMatchObject({
          ready: true,
          adopts: [{ kind: 'ssh-key-link', id: '7/3' }],
          irreversible: [expect.any(String)],
        });
        expect(plan.calls.map(({ method }) => method)).toEqual(['GET', 'GET', 'PATCH', 'GET']);
        expect(done.calls.map(({ method }) => method)).toEqual(['GET', 'GET']);
        expect(done.irreversible).toEqual([]);
      },
    ));

  it.each([
    ['an unknown name', { keyNames: ['nobody'] }, 'keyNames[0]'],
    ['a sixth key', { keyNames: ['ingest'] }, 'keyNames'],
    ['an unknown storage', { storageId: 99, keyNames: ['backup'] }, 'storageId'],
  ])('is not ready with %s', (_, change, path) =>
    inScenario(
      { state: stateWithStorages(keys, [{ id: 7, sshKeyIds: [1, 3, 4, 5, 6] }]) },
      async (scenario) => {
        const input = { storageId: 7, ...change };
        const plan = await planOf(scenario, 'grantSftpAccess', { input });

        expect(plan.findings).toMatchObject([{ severity: 'fault', path }]);
        expect(plan.ready).toBe(false);
        expect(scenario.mutations()).toEqual([]);
      },
    ),
  );
});
