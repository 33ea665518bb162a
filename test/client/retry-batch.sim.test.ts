import { describe, expect, it } from '@jest/globals';

import { batchLines } from '../../src/contract/batch-lines.js';
import { batchReportQuery } from '../../src/contract/wire/messages.js';
import { at, gatewayOf, gcoreOf, post, tokensOf } from '../support/gateway/gateway-world.js';
import { createGcoreWorkflows, RunNotFoundError } from '../../src/client/index.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { beforeQuery } from '../support/runs/meanwhile.js';
import { instanceIdOf, stateWithInstances } from '../support/worlds/instances.js';

const REFUSE_ONE = {
  match: { method: 'POST', path: /\/action$/, times: 1 },
  action: { kind: 'status', status: 400, body: { message: 'no' } },
} as const;

const AWAY = { kind: 'status', status: 503 } as const;

/** Line 1 is refused, there is no instance for line 2, and line 3 is done. */
async function failedBatch({ simulator, start, account }: Scenario): Promise<string> {
  simulator.faults.add(REFUSE_ONE);
  const batch = await start(
    'runBatch',
    {
      operation: 'setInstancePower',
      items: [1, 9, 2].map((of, at) => ({
        requestId: `night-${at + 1}`,
        instanceId: instanceIdOf(of),
        action: 'stop',
      })),
      atOnce: 1,
      tolerate: { count: 2 },
    },
    `run-batch/${account}/night`,
  );
  expect((await batch.result()).counts).toMatchObject({ succeeded: 1, failed: 2 });
  return batch.workflowId;
}

const state = stateWithInstances([{ of: 1 }, { of: 2 }]);

describe('retry of a batch by class', () => {
  it('starts the items that failed so, under their own ids, and leaves the others', () =>
    inScenario({ state }, async (scenario) => {
      const gcore = gcoreOf(scenario);
      const workflowId = await failedBatch(scenario);

      const again = await gcore.retry(workflowId, { classes: ['InvalidRequest'] });
      const { counts } = await gcore.result('runBatch', again.workflowId);
      const once = await gcore.retry(workflowId, { classes: ['InvalidRequest'] });
      await gcore.result('runBatch', once.workflowId);

      expect(again).toEqual({
        workflowId: `${workflowId}.retry-1`,
        runId: expect.any(String),
        operation: 'runBatch',
        lines: '1',
      });
      expect(counts).toMatchObject({ succeeded: 1, failed: 0 });
      expect([...batchLines(await gcore.batchReport(again.workflowId))]).toEqual([
        {
          line: 1,
          workflowId: `set-instance-power/${scenario.account}/night-1`,
          outcome: 'succeeded',
        },
      ]);
      // The second try finds it done.
      expect(once.workflowId).toBe(`${workflowId}.retry-2`);
      expect(scenario.mutations()).toHaveLength(3);
    }));

  it('leaves it to a repeat that goes on, whose report is another one', () =>
    inScenario({ state }, async (scenario) => {
      const gcore = gcoreOf(scenario);
      const { client, taskQueue, start } = scenario;
      const workflowId = await failedBatch(scenario);
      const racing = beforeQuery(client, batchReportQuery.name, async () => {
        const item = { requestId: 'night-1', instanceId: instanceIdOf(1), action: 'stop' } as const;
        await start('runBatch', { operation: 'setInstancePower', items: [item] }, workflowId);
        await gcore.pause(workflowId);
      });

      const retried = createGcoreWorkflows({ client: racing, taskQueue }).retry(workflowId, {
        classes: ['InvalidRequest'],
      });

      await expect(retried).rejects.toMatchObject({ workflowId, refusal: 'open' });
      await gcore.abort(workflowId);
    }));

  it('refuses a class that nothing has failed as, and a run that is no batch', () =>
    inScenario({ state }, async (scenario) => {
      const gcore = gcoreOf(scenario);
      const workflowId = await failedBatch(scenario);
      const item = `set-instance-power/${scenario.account}/night-1`;

      await expect(gcore.retry(workflowId, { classes: ['QuotaExceeded'] })).rejects.toMatchObject({
        name: 'RetryRefusedError',
        refusal: 'none-failed-so',
      });
      await expect(gcore.retry(item, { classes: ['InvalidRequest'] })).rejects.toMatchObject({
        name: 'InvalidInputError',
        faults: [{ path: 'classes' }],
      });
    }));

  it('needs a token for the operation of the items', () =>
    inScenario({ state }, async (scenario) => {
      const workflowId = await failedBatch(scenario);
      const scopes = ['run', 'read'] as const;
      const tokens = tokensOf({
        batches: { name: 'batches', scopes, operations: ['runBatch'] },
        both: { name: 'both', scopes, operations: ['runBatch', 'setInstancePower'] },
      });
      const app = gatewayOf(scenario, { tokens });
      const path = at(`/v1/runs/${encodeURIComponent(workflowId)}/retry`);
      const retry = (token: string) =>
        app.request(
          path,
          post({ classes: ['InvalidRequest'] }, { Authorization: `Bearer ${token}` }),
        );

      const answers = [await retry('batches'), await retry('both')];

      expect(answers.map(({ status }) => status)).toEqual([404, 202]);
    }));
});

describe('two retries of a batch by class at once', () => {
  it('start one batch: the second one is told of the first', () =>
    inScenario({ state }, async (scenario) => {
      const gcore = gcoreOf(scenario);
      const workflowId = await failedBatch(scenario);
      scenario.simulator.faults.add({ match: { method: 'POST', times: 1_000 }, action: AWAY });
      const retry = () => gcore.retry(workflowId, { classes: ['InvalidRequest'] });

      const both = await Promise.allSettled([retry(), retry()]);

      const refused = both.filter(({ status }) => status === 'rejected');
      expect(refused).toMatchObject([{ reason: { name: 'RetryRefusedError' } }]);
      scenario.simulator.faults.clear();
      await gcore.result('runBatch', `${workflowId}.retry-1`);
      await expect(gcore.summary(`${workflowId}.retry-2`)).rejects.toThrow(RunNotFoundError);
    }));
});
