/**
 * `npm run bench:cpu [-- RUNS REPLAYS]`: compares the CPU per workflow task of provisionInstance with a
 * yardstick, a workflow that only makes the same commands. Both run in turns in one process with the
 * same instant activities. Then the bench replays one history of each.
 */
import { DefaultLogger, Runtime } from '@temporalio/worker';

import {
  bundleContenders,
  measureCpu,
  type Comparison,
  type CpuFigures,
} from './cpu/measure-cpu.js';
import { LIMITED_MEASURE, MAX_CPU_RATIO, SHAPES } from './cpu/shapes.js';
import { percentile } from './percentile.js';
import { rangeOf } from './range-of.js';
import { withTemporal } from './with-temporal.js';

const ROUNDS = 6;
const RUNS = Number(process.argv[2] ?? 50);
const REPLAYS = Number(process.argv[3] ?? 200);

function toLine({ measure, ours, plain, ratios }: Comparison): string {
  const ratio = percentile(ratios, 50);
  return [
    measure,
    ours.toFixed(3),
    plain.toFixed(3),
    ratio.toFixed(2),
    rangeOf(ratios),
    measure === LIMITED_MEASURE ? (ratio <= MAX_CPU_RATIO ? 'kept' : 'EXCEEDED') : '',
  ].join('\t');
}

function toLines(
  shape: string,
  { comparisons, events, historyBytes, workflowTasks }: CpuFigures,
): string[] {
  const { provisionInstance: ours, plainProvision: plain } = events;
  const sameness = ours.join() === plain.join() ? 'the same as' : `NOT the ${plain.length} of`;
  const bytes = Object.values(historyBytes).join(' and ');
  return [
    `${shape}: ${ROUNDS * RUNS} runs each, ${workflowTasks} workflow tasks per run, ${ours.length} events, ${sameness} the yardstick, ${bytes} bytes`,
    `measured\tms per task\tyardstick\tratio\tall pairs\tat most ${MAX_CPU_RATIO}`,
    ...comparisons.map(toLine),
    '',
  ];
}

const NOTES = `Medians of ${ROUNDS} pairs of ${RUNS} runs (live) or ${REPLAYS} replays. Whole process: the cost
of a worker with workflow code, SDK and the shared activities. Workflow threads: only the sandbox and
the SDK's state machines. The starts of the runs do not count.`;

const counts = { rounds: ROUNDS, runs: RUNS, replays: REPLAYS };

Runtime.install({ logger: new DefaultLogger('ERROR') });
await withTemporal({ exactTimers: true }, async (address) => {
  const bundles = await bundleContenders();
  for (const [name, shape] of Object.entries(SHAPES)) {
    const figures = await measureCpu({ address, bundles, shape, ...counts });
    process.stdout.write(`${toLines(name, figures).join('\n')}\n`);
  }
  process.stdout.write(`${NOTES}\n`);
});
