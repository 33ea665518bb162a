import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows, RequestConflictError } from '../../src/client/index.js';
import { startRun, type StartDeps, type StartWay } from '../../src/client/start-run.js';
import { PORTS } from '../support/inputs/protect-input.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { until } from '../support/timing/until.js';
import { holdTaskReads } from '../support/worlds/hold-task-reads.js';

function depsOf({ client, taskQueue }: Scenario, way: StartWay): StartDeps {
  const limits = { answerWithinMs: 5_000, endWithinMs: 5_000 };
  const clearSecrets = () => Promise.resolve('refuse' as const);
  return { client, taskQueue, clearSecrets, ...limits, way, by: 'tester' };
}

const HOUR_MS = 3_600_000;

describe('a caller that is attached to the open run of its request', () => {
  it('is refused when another input has taken the place of that run meanwhile', () =>
    inScenario({}, async (scenario) => {
      const { client, taskQueue, account } = scenario;
      const release = holdTaskReads(scenario.simulator);
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const request = { requestId: 'order-1', input: { ...provisionInput(), account } };
      const other = { ...request, input: { ...provisionInput({ name: 'web-2' }), account } };
      const { workflowId } = await gcore.start('provisionInstance', request);
      const run = client.workflow.getHandle(workflowId);

      const attached = startRun(
        depsOf(scenario, {
          start: () => Promise.resolve(undefined),
          attach: async () => {
            await run.terminate();
            await gcore.start('provisionInstance', other);
            return (await run.describe()).runId;
          },
        }),
        'provisionInstance',
        request,
      );

      await expect(attached).rejects.toThrow(RequestConflictError);
      await expect(attached).rejects.toMatchObject({ state: 'open', paths: ['instance.name'] });
      release();
      await gcore.result('provisionInstance', workflowId);
    }));

  it('starts a run when that run has ended meanwhile', () =>
    inScenario({}, async (scenario) => {
      const { client, taskQueue, account } = scenario;
      const release = holdTaskReads(scenario.simulator);
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const request = { requestId: 'order-1', input: { ...provisionInput(), account } };
      const { workflowId } = await gcore.start('provisionInstance', request);
      let starts = 0;

      const started = await startRun(
        depsOf(scenario, {
          start: () => Promise.resolve(++starts > 1 ? 'second' : undefined),
          attach: async () => {
            await client.workflow.getHandle(workflowId).terminate();
            return undefined;
          },
        }),
        'provisionInstance',
        request,
      );

      expect(started).toEqual({ workflowId, runId: 'second', outcome: 'started' });
      release();
    }));

  it('asks the run that has taken the place of that one to hold for as long', () =>
    inScenario({}, async (scenario) => {
      const { client, taskQueue, account } = scenario;
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const profile = { ip_address: '203.0.113.7', profile_template: 12, fields: [PORTS] };
      const request = (holdFor: string) => ({ input: { account, profile, holdFor } });
      const { workflowId } = await gcore.start('protectIp', request('1 hour'));
      const heldUntil = async () => {
        const { waiting } = await gcore.status(workflowId);
        return waiting?.holds === undefined ? 0 : Date.parse(waiting.nextCheckAt ?? '');
      };
      await until('it holds', async () => (await heldUntil()) > 0);

      const { runId } = await startRun(
        depsOf(scenario, {
          start: () => Promise.resolve(undefined),
          attach: async () => {
            await gcore.restore(workflowId);
            await gcore.result('protectIp', workflowId);
            return (await gcore.start('protectIp', request('1 hour'))).runId;
          },
        }),
        'protectIp',
        request('3 hours'),
      );

      expect(runId).toBe((await gcore.summary(workflowId)).runId);
      const askedAt = Date.now();
      await until('it holds again', async () => (await heldUntil()) > 0);
      expect(await heldUntil()).toBeGreaterThan(askedAt + 2 * HOUR_MS);
      await gcore.restore(workflowId);
      await gcore.result('protectIp', workflowId);
    }));
});
