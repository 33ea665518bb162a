import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows, RequestConflictError } from '../../src/client/index.js';
import { startRun, type StartDeps, type StartWay } from '../../src/client/start-run.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { holdTaskReads } from '../support/worlds/hold-task-reads.js';
function depsOf({ client, taskQueue }: Scenario, way: StartWay): StartDeps {
  const limits = { answerWithinMs: 5_000, endWithinMs: 5_000 };
  const clearSecrets = () => Promise.resolve('refuse' as const);
  return { client, taskQueue, clearSecrets, ...limits, way, by: 'tester' };
}

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
});
