import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows, RequestConflictError } from '../../src/client/index.js';
import type { Operations } from '../../src/contract/operations/index.js';
import { sendStart, type RunStart } from '../../src/client/start-once.js';
import { startRun, type StartDeps, type StartWay } from '../../src/client/start-run.js';
import { PORTS } from '../support/inputs/protect-input.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { pass } from '../support/timing/pass.js';
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

  it('is attached to one that somebody has started while it stood still', () =>
    inScenario({}, async (scenario) => {
      const { client, taskQueue, account } = scenario;
      const release = holdTaskReads(scenario.simulator);
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const request = { requestId: 'order-1', input: { ...provisionInput(), account } };
      const { workflowId } = await gcore.start('provisionInstance', request);
      await client.workflow.getHandle(workflowId).terminate();
      let tries = 0;
      const beforeStart = async (): Promise<void> => {
        tries += 1;
        if (tries > 5) throw new Error('it tries again and again');
        if (tries !== 2) return;
        await gcore.start('provisionInstance', request);
        await pass(5_000);
      };
      const send = (start: RunStart<keyof Operations>, policy: 'FAIL' | 'USE_EXISTING') =>
        sendStart(start, async (options) => {
          const policies = { ...options, workflowIdConflictPolicy: policy };
          const handle = await client.workflow.start(start.operation, policies);
          return handle.firstExecutionRunId;
        });
      const way: StartWay = {
        start: (start) => send(start, 'FAIL'),
        attach: (start) => send(start, 'USE_EXISTING'),
      };

      const joined = await startRun(
        { ...depsOf(scenario, way), beforeStart },
        'provisionInstance',
        request,
      );

      const { runId } = await gcore.summary(workflowId);
      expect(joined).toEqual({ workflowId, runId, outcome: 'joined' });
      release();
      await gcore.result('provisionInstance', workflowId);
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
