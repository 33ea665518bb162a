/**
 * `npm run bench`: provisionInstance against the usual timer loop of three seconds, side by side in
 * real time on one server. Prints medians; absolute figures depend on the machine, ratios less so.
 */
import { randomUUID } from 'node:crypto';

import { provisionInput } from '../test/support/inputs/provision-input.js';
import { inScenario } from '../test/support/runs/scenario.js';
import { measureRun, type RunFigures } from './measure-run.js';
import { createNaiveWorker } from './naive/create-naive-worker.js';
import { percentile } from './percentile.js';
import { withTemporal } from './with-temporal.js';

const RUNS = 6;
const NAIVE_POLL_MS = 3_000;

async function measureOurs(seed: number): Promise<RunFigures> {
  let figures: RunFigures | undefined;
  await inScenario({ speed: 1, seed }, async ({ start, simulator }) => {
    figures = await measureRun(await start('provisionInstance', provisionInput()), simulator);
  });
  return present(figures);
}

async function measureNaive(seed: number): Promise<RunFigures> {
  let figures: RunFigures | undefined;
  await inScenario({ speed: 1, seed }, async ({ client, connection, api, simulator }) => {
    const taskQueue = `naive-${randomUUID()}`;
    const worker = await createNaiveWorker({ connection, taskQueue, api });
    const { instance: body } = provisionInput();
    figures = await worker.runUntil(async () => {
      const run = await client.workflow.start('naiveProvision', {
        workflowId: taskQueue,
        taskQueue,
        args: [{ taskQueue, body, pollMs: NAIVE_POLL_MS }],
      });
      return measureRun(run, simulator);
    });
  });
  return present(figures);
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the scenario ended without figures');
  return value;
}

const ROWS = [
  'seconds',
  'events',
  'historyBytes',
  'requests',
  'taskReads',
  'noticedAfterSeconds',
] as const;

await withTemporal({}, async () => {
  const seeds = Array.from({ length: RUNS }, (_, index) => index + 1);
  const ways = await Promise.all([
    Promise.all(seeds.map(measureOurs)),
    Promise.all(seeds.map(measureNaive)),
  ]);
  process.stdout.write(`median of ${RUNS} runs each, real time\n`);
  process.stdout.write('figure\tprovisionInstance\ttimer loop 3 s\n');
  for (const row of ROWS) {
    const medians = ways.map((runs) => {
      const values = runs.map((figures) => figures[row]);
      return percentile(values, 50).toFixed(1);
    });
    process.stdout.write(`${[row, ...medians].join('\t')}\n`);
  }
});
