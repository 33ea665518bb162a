import { describe, expect, it } from '@jest/globals';

import { inScenario } from '../../simulation/scenario.js';
import { at, gatewayOf, gcoreOf, tokensOf } from '../../support/gateway/gateway-world.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { resetRun } from '../../support/runs/reset-run.js';
import { until } from '../../support/timing/until.js';
import { holdTaskReads } from '../../support/worlds/hold-task-reads.js';

describe('the list of runs that need a person', () => {
  it('leaves out what an operator has ended and somebody goes on with', () =>
    inScenario({}, async (scenario) => {
      const { start, client, simulator } = scenario;
      const release = holdTaskReads(simulator);
      const [ended, reset] = [
        await start(
          'provisionInstance',
          provisionInput(),
          `provision-instance/${scenario.account}/ended`,
        ),
        await start(
          'provisionInstance',
          provisionInput(),
          `provision-instance/${scenario.account}/reset`,
        ),
      ];
      await until('both wait', () => simulator.inventory().instances.length === 2);
      await client.workflow.getHandle(ended.workflowId).terminate();
      await resetRun(client, reset, 'the last workflow task');
      const terminated = () => gcoreOf(scenario).list({ phase: 'terminated' });
      await until('the list shows both', async () => (await terminated()).length === 2);

      const page = await (await gatewayOf(scenario).request(at('/runs'))).text();
      const [, urgent = ''] = /id="urgent"(.*)id="all"/s.exec(page) ?? [];

      expect(urgent.match(/run-[\w-]+\/[\w-]+\/\w+/g)).toEqual([`run-${ended.workflowId}`]);
      release();
      await reset.result().catch(() => undefined);
    }));
});

describe('the list of a token that is limited', () => {
  it('names what needs a person, however much else does', () =>
    inScenario({ replays: false }, async (scenario) => {
      const { account, client } = scenario;
      const operations = ['runBatch', 'deleteInstance'] as const;
      const some = { name: 'some', scopes: ['read'], operations, accounts: [account] } as const;
      const tokens = tokensOf({ some });
      const app = gatewayOf(scenario, { tokens });
      const end = async (type: string, workflowId: string) => {
        const its = { workflowId, taskQueue: 'nobody-polls', args: [{ account }] };
        await (await client.workflow.start(type, its)).terminate();
      };
      await end('deleteInstance', `delete-instance/${account}/own`);
      for (let at = 0; at < 10; at++) await end('runBatch', `run-batch/${account}/${at}`);
      const ended = () => gcoreOf(scenario).list({ phase: 'terminated', account });
      await until('all are listed', async () => (await ended()).length === 11);
      const form = { method: 'POST', body: new URLSearchParams({ token: 'some' }) };
      const signedIn = await app.request(at('/sign-in'), form);
      const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';

      const page = await (await app.request(at('/runs'), { headers: { cookie } })).text();

      const [, urgent = ''] = /id="urgent"(.*)id="all"/s.exec(page) ?? [];
      expect(urgent).toContain('own');
      expect(page).not.toContain('run-batch%2F');
    }));
});

describe('a list that is behind', () => {
  it('tells of no other run that has begun under the Workflow Id', () =>
    inScenario({}, async (scenario) => {
      const { account, client, taskQueue, simulator } = scenario;
      const soldOut = { message: 'Not enough capacity', exception_class: 'ForbiddenError' };
      const action = { kind: 'status', status: 403, body: soldOut } as const;
      const match = { method: 'POST', path: CREATE_PATH, times: Infinity };
      simulator.faults.add({ match, action });
      const gcore = gcoreOf(scenario);
      const its = { workflowId: 'nightly', taskQueue };
      await client.workflow.execute('listSshKeys', { ...its, args: [{ account }] });
      const seen = await gcore.summary('nightly');
      const args = [{ ...provisionInput(), account }];
      const other = await client.workflow.start('provisionInstance', { ...its, args });
      await until('it is blocked', async () => (await gcore.status('nightly')).phase === 'blocked');
      const run = { ...seen, state: 'RUNNING', phase: 'blocked', closedAt: undefined } as const;
      const app = gatewayOf(scenario, {
        gcore: { ...gcore, page: () => Promise.resolve({ runs: [run] }) },
      });

      const page = await (await app.request(at('/runs'))).text();

      expect(page).toContain('nightly');
      expect(page).not.toContain('Not enough capacity');
      await gcore.abort('nightly');
      await other.result().catch(() => undefined);
    }));
});
