import { randomUUID } from 'node:crypto';

import { provisionInput } from '../test/support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../test/support/runs/scenario.js';
import { measureRun, type RunFigures } from './measure-run.js';
import { createNaiveWorker } from './naive/create-naive-worker.js';

/** Measures one run that has the simulator and the workers to itself. */
export async function measureScenario(
  options: Parameters<typeof inScenario>[0],
  measure: (scenario: Scenario) => Promise<RunFigures>,
): Promise<RunFigures> {
  const measured: RunFigures[] = [];
  await inScenario(options, async (scenario) => {
    measured.push(await measure(scenario));
  });
  const [figures] = measured;
  if (figures === undefined) throw new Error('The scenario ended without figures');
  return figures;
}

export async function runProduct({ start, simulator }: Scenario): Promise<RunFigures> {
  return measureRun(await start('provisionInstance', provisionInput()), simulator);
}

/** The usual timer loop: `naiveProvision`. */
export async function runNaive(scenario: Scenario, pollMs: number): Promise<RunFigures> {
  const { client, connectNative, api, simulator } = scenario;
  const taskQueue = `naive-${randomUUID()}`;
  const connection = await connectNative();
  const worker = await createNaiveWorker({ connection, taskQueue, api });
  const { instance: body } = provisionInput();
  return worker.runUntil(async () => {
    const run = await client.workflow.start('naiveProvision', {
      workflowId: taskQueue,
      taskQueue,
      args: [{ taskQueue, body, pollMs }],
    });
    return measureRun(run, simulator);
  });
}
