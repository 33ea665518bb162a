import { describe, expect, it } from '@jest/globals';
import { WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';

import { urgentTaskQueue } from '../../src/contract/wire/names.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { scalePollPolicy } from '../../src/engine/core/run-policy.js';
import { firstScheduled } from './first-scheduled.js';
import { mostWithin } from '../support/timing/most-within.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { createCallRecorder, type RecordedCall } from '../support/http/record-calls.js';
import { inScenario } from '../support/runs/scenario.js';
import { until } from '../support/timing/until.js';
const RUNS = 120;
const REQUESTS_PER_SECOND = 10;
const URGENT = 1;
const BULK = 5;

/** On a busy machine the urgent run has ended before. */
async function end(run: WorkflowHandle): Promise<void> {
  try {
    await run.terminate('the test has seen enough');
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

function expectWithinBudget(calls: readonly RecordedCall[], perSecond: number): void {
  const times = calls.map(({ atMs }) => atMs);
  for (const seconds of [0.2, 1, 5, 10]) {
    // The budget allows one extra second's worth at once. Two calls may arrive late.
    const limit = perSecond * (seconds + 1) + 2;
    expect(mostWithin(times, seconds * 1_000)).toBeLessThanOrEqual(limit);
  }
}

describe('an account with more runs than its request budget', () => {
  it('stays within the budget from the first second, and sends urgent calls first', async () => {
    const { calls, fetch } = createCallRecorder();
    const runs: WorkflowHandle[] = [];
    await inScenario(
      {
        realPolls: true,
        requestsPerSecond: REQUESTS_PER_SECOND,
        calls: { fetch },
        replays: false,
      },
      async ({ client, taskQueue, account }) => {
        const start = async (name: string, priorityKey: number): Promise<string> => {
          const run = await client.workflow.start('provisionInstance', {
            workflowId: `${taskQueue}-${name}`,
            taskQueue,
            args: [{ ...provisionInput({ name }), account }],
            priority: { priorityKey },
          });
          runs.push(run);
          return run.workflowId;
        };
        await Promise.all(Array.from({ length: RUNS }, (_, index) => start(`bulk-${index}`, BULK)));
        await until('the bulk is under way', () => calls.length > 40);

        const urgent = await start('urgent', URGENT);
        const sent = () => calls.filter(({ workflowId }) => workflowId === urgent);
        await until('the urgent run has sent its create call', () =>
          sent().some(({ method }) => method === 'POST'),
        );

        const due = await firstScheduled(client.workflow.getHandle(urgent));
        expect(due.queue).toBe(urgentTaskQueue(account));
        expect((sent()[0]?.atMs ?? Number.NaN) - due.atMs).toBeLessThan(2_000);
        const waiting = RUNS - new Set(calls.map(({ workflowId }) => workflowId)).size;
        expect(waiting).toBeGreaterThan(40);
        await until('the bulk has run for a while', () => calls.length > 110);
        expectWithinBudget(calls, REQUESTS_PER_SECOND);
      },
    );
    // Only now: what a worker still has in its hands would be logged.
    await Promise.all(runs.map(end));
  });

  it('counts the requests of its watcher too', async () => {
    const PER_SECOND = 20;
    const { calls, fetch } = createCallRecorder();
    // Without a budget the watcher would poll a hundred times a second.
    const poll = { ...scalePollPolicy(DEFAULT_POLL_POLICY, 0.1), minMs: 10, maxMs: 10 };

    await inScenario(
      // Slow tasks: also on a busy machine the watcher has time for more polls than the budget allows at once.
      { speed: 3, requestsPerSecond: PER_SECOND, calls: { fetch }, policy: { poll } },
      async ({ start }) => {
        const names = ['web-1', 'web-2', 'web-3', 'web-4', 'web-5'];
        const runs = await Promise.all(
          names.map((name) => start('provisionInstance', provisionInput({ name }))),
        );
        await Promise.all(runs.map((run) => run.result()));
      },
    );

    const watched = calls.filter(({ workflowId }) => workflowId === undefined);
    expect(watched.length).toBeGreaterThan(PER_SECOND);
    expectWithinBudget(calls, PER_SECOND);
  });
});
