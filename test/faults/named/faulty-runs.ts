import { randomUUID } from 'node:crypto';

import type { Client, WorkflowHandle } from '@temporalio/client';

import { createGcoreWorkflows, type Codec } from '../../../src/client/index.js';
import type { FaultAction, FaultMatch } from '../../../src/simulator/index.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario, type Scenario, type ScenarioOptions } from '../../support/runs/scenario.js';
import { until } from '../../support/timing/until.js';
import type { Answer, Seed } from './answers.js';

export const CREATE = { method: 'POST', path: CREATE_PATH } as const;

/** Runs of a simulated cloud. The first one meets a fault, the others cause it. */
type Start = (scenario: Scenario) => Promise<[WorkflowHandle, ...WorkflowHandle[]]>;

/** A fault in a simulated cloud of its own. */
export function inCloud(options: ScenarioOptions, start: Start): Seed {
  return (meanwhile) =>
    // These histories are those of other tests, which replay them.
    inScenario({ replays: false, ...options }, async (scenario) => {
      const runs = await start(scenario);
      try {
        await meanwhile(() => explain(scenario.client, runs[0].workflowId));
      } finally {
        await Promise.all(runs.map(endOf));
      }
    });
}

/** A run that makes an instance, in a cloud where this goes wrong. */
export function provisioning(rule: { match?: FaultMatch; action: FaultAction }): Seed {
  return inCloud({}, async (scenario) => {
    const { match = CREATE, action } = rule;
    scenario.simulator.faults.add({ match: { times: Infinity, ...match }, action });
    return [await provision(scenario)];
  });
}

/** Starts a run as an order of a person. */
export async function provision(
  { client, taskQueue, account }: Scenario,
  input = provisionInput(),
): Promise<WorkflowHandle> {
  const gcore = createGcoreWorkflows({ client, taskQueue });
  const { workflowId } = await gcore.start('provisionInstance', {
    requestId: `order-${randomUUID().slice(0, 8)}`,
    input: { ...input, account },
  });
  return client.workflow.getHandle(workflowId);
}

/** A run that waits for its task. */
export async function startWaiting(scenario: Scenario) {
  const run = await provision(scenario);
  const gcore = createGcoreWorkflows({ client: scenario.client });
  await until(
    'the run waits',
    async () => (await gcore.status(run.workflowId)).phase === 'waiting',
  );
  return { run, gcore };
}

export async function explain(
  client: Client,
  id: string,
  options: { codec?: Codec; answerWithinMs?: number } = {},
): Promise<Answer[]> {
  const gcore = createGcoreWorkflows({ client, ...options });
  const { paragraph, next } = await gcore.explain(id);
  return [{ says: paragraph, todo: next }];
}

/** Ends a run that is still open. */
async function endOf(run: WorkflowHandle): Promise<void> {
  const { status } = await run.describe();
  if (status.name === 'RUNNING') await run.terminate();
}
