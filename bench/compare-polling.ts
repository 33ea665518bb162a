/**
 * `npm run bench`: compares provisionInstance with the usual timer loop of three seconds, in real time
 * on one server. Prints medians. Absolute figures depend on the machine, ratios less so.
 */
import type { RunFigures } from './measure-run.js';
import { measureScenario, runNaive, runProduct } from './measure-scenario.js';
import { percentile } from './percentile.js';
import { withTemporal } from './with-temporal.js';

const RUNS = 6;
const NAIVE_POLL_MS = 3_000;

function measureProduct(seed: number): Promise<RunFigures> {
  return measureScenario({ speed: 1, seed }, runProduct);
}

function measureNaive(seed: number): Promise<RunFigures> {
  return measureScenario({ speed: 1, seed }, (scenario) => runNaive(scenario, NAIVE_POLL_MS));
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
    Promise.all(seeds.map(measureProduct)),
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
