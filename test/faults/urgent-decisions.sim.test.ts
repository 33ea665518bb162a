import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { createWorkflowWorker, runWorkers } from '../../src/worker/create-workers.js';
import { firstScheduled } from './first-scheduled.js';
import { ADDRESS, protectInput, stateWithProfiles } from '../support/inputs/protect-input.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
const BULK_RUNS = 100;
/** Measured: 6 to 8; with a worker that takes 40 workflow tasks at a time: 46 to 63. */
const MAX_BULK_RUNS_BEFORE = 25;
const URGENT = 1;
const BULK = 5;

/** Runs a worker for a queue of waiting runs until `task` has ended. */
async function withLateWorker(
  { connectNative }: Scenario,
  workflowTaskQueue: string,
  task: () => Promise<void>,
): Promise<void> {
  const policy = {
    poll: DEFAULT_POLL_POLICY,
    reconcileGraceMs: 500,
    longestRetryMs: 4_000,
    searchAttributes: true,
  };
  const worker = await createWorkflowWorker({
    connection: await connectNative(),
    namespace: 'default',
    prepare: { defaults: {}, policy },
    workflowBundle: { codePath: resolve('dist/workflow-bundle.js') },
    workflowTaskQueue,
  });
  const stop = new AbortController();
  const running = runWorkers([worker], stop.signal);
  try {
    await task();
  } finally {
    stop.abort();
    await running;
  }
}

describe('a worker with more waiting runs than it can process at once', () => {
  it('processes the urgent run before most others', async () => {
    await inScenario({ state: stateWithProfiles([ADDRESS]) }, async (scenario) => {
      const { client, account } = scenario;
      const taskQueue = `late-${randomUUID().slice(0, 8)}`;
      const start = (type: string, input: object, priorityKey: number) =>
        client.workflow.start(type, {
          workflowId: `${type}-${randomUUID()}`,
          taskQueue,
          args: [{ ...input, account }],
          priority: { priorityKey },
        });
      const bulk = await Promise.all(
        Array.from({ length: BULK_RUNS }, () => start('listSshKeys', {}, BULK)),
      );
      const urgent = await start('protectIp', protectInput(), URGENT);

      await withLateWorker(scenario, taskQueue, async () => {
        await Promise.all([urgent, ...bulk].map((run) => run.result()));
      });

      const { atMs: patchAt } = await firstScheduled(urgent, 'updateDdosProfile');
      const pages = await Promise.all(bulk.map((run) => firstScheduled(run, 'listSshKeyPage')));
      expect(pages.every(({ atMs }) => atMs > 0)).toBe(true);
      expect(pages.filter(({ atMs }) => atMs < patchAt).length).toBeLessThan(MAX_BULK_RUNS_BEFORE);
    });
  });
});
