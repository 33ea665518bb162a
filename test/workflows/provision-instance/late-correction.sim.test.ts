import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';

import { createPrepareActivities } from '../../../src/activities/index.js';
import { abortUpdate, resumeUpdate } from '../../../src/engine/core/messages.js';
import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import { scalePollPolicy } from '../../../src/engine/core/run-policy.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
const QUOTA = {
  match: { method: 'POST', path: CREATE_PATH },
  action: { kind: 'status', status: 403, body: { exception_class: 'QuotaLimitExceed' } },
} as const;
/** Long enough for a correction to arrive before the run tries again by itself. */
const PROBE_MS = 3_000;
const HELD_LONG_MS = 120_000;

/** Runs a workflow worker of its own, on which every check of a corrected input waits for the gate. */
async function withHeldChecks(
  { connectNative }: Scenario,
  test: (held: { taskQueue: string; checks: () => number; open: () => void }) => Promise<void>,
): Promise<void> {
  const taskQueue = `held-${randomUUID().slice(0, 8)}`;
  const gate = createGate();
  let checks = 0;
  const worker = await Worker.create({
    connection: await connectNative(),
    taskQueue,
    workflowBundle: { codePath: resolve('dist/workflow-bundle.js') },
    activities: createPrepareActivities({
      defaults: {},
      policy: {
        poll: scalePollPolicy(DEFAULT_POLL_POLICY, 1 / 100),
        reconcileGraceMs: 500,
        probeMs: PROBE_MS,
        searchAttributes: false,
      },
      namespaceId: () => Promise.resolve('namespace'),
      cutShortAt: async () => {
        checks += 1;
        // The first one begins the run.
        if (checks > 1) await gate.opened;
        return undefined;
      },
    }),
  });
  await worker.runUntil(async () => {
    try {
      await test({ taskQueue, checks: () => checks, ...gate });
    } finally {
      gate.open();
    }
  });
}

const corrected = ({ account }: Scenario) => ({
  ...provisionInput({ flavor: 'g2-standard-4-8' }),
  account,
});

/** A run that is blocked, while another input of it is checked. */
async function whileChecked(
  scenario: Scenario,
  test: (checked: {
    run: WorkflowHandle;
    /** How the `resume` ends that has brought it. */
    answer: Promise<unknown>;
    open: () => void;
  }) => Promise<void>,
): Promise<void> {
  const { client, account, simulator } = scenario;
  simulator.faults.add(QUOTA);
  await withHeldChecks(scenario, async ({ taskQueue, checks, open }) => {
    const run = await client.workflow.start('provisionInstance', {
      workflowId: `provisionInstance-${randomUUID()}`,
      taskQueue,
      // While a check is held, the run sees its timers once in most of this time.
      workflowTaskTimeout: '3 seconds',
      args: [{ ...provisionInput(), account }],
    });
    await untilBlocked(run, 'QuotaExceeded');
    const input = corrected(scenario);
    const answer = run
      .executeUpdate(resumeUpdate, { args: [{ input }] })
      .catch((error: unknown) => error);
    await until('the corrected input is checked', () => checks() > 1);
    await test({ run, answer, open });
  });
}

describe('a corrected input that is checked while the run would try again by itself', () => {
  it(
    'is what the run sends, and the old one is not sent before that',
    () =>
      inScenario({}, async (scenario) => {
        const { simulator, mutations } = scenario;
        await whileChecked(scenario, async ({ run, answer, open }) => {
          await pass(10 * PROBE_MS);
          expect(mutations()).toHaveLength(1);

          open();
          expect(await answer).toMatchObject({ operation: 'provisionInstance' });
          await run.result();

          expect(mutations()).toHaveLength(2);
          expect(simulator.inventory().instances.map(({ flavor }) => flavor.flavor_id)).toEqual([
            'g2-standard-4-8',
          ]);
        });
      }),
    HELD_LONG_MS,
  );

  it(
    'is refused when the run was told to end meanwhile',
    () =>
      inScenario({}, async (scenario) => {
        await whileChecked(scenario, async ({ run, answer, open }) => {
          const aborted = run.executeUpdate(abortUpdate, { args: [{}] });
          await pass(10 * PROBE_MS);

          open();
          await aborted;

          expect(await answer).toMatchObject({
            cause: { type: 'Refused', message: expect.stringContaining('The run is ending.') },
          });
          await expect(run.result()).rejects.toMatchObject({ cause: { type: 'Aborted' } });
        });
      }),
    HELD_LONG_MS,
  );
});
