/**
 * `npm run bench:cpu`: CPU of a workflow task of provisionInstance against a workflow that makes the
 * same commands with nothing behind them. Both run in one process, in turns, with the same instant
 * activities; then one history of each is replayed.
 */
import { DefaultLogger, Runtime } from '@temporalio/worker';

import {
  bundleContenders,
  measureCpu,
  type Comparison,
  type CpuFigures,
} from './cpu/measure-cpu.js';
import { percentile } from './percentile.js';
import { withTemporal } from './with-temporal.js';

const ROUNDS = 6;
const RUNS = Number(process.argv[2] ?? 50);
const REPLAYS = Number(process.argv[3] ?? 200);
const MAX = 1.3;

const SHAPES = {
  'beside a watching activity': { watcher: true, looks: 1 },
  'ten looks by timer': { watcher: false, looks: 10 },
};

function toLine({ measure, ours, plain, ratios }: Comparison): string {
  const ratio = percentile(ratios, 50);
  return [
    measure,
    ours.toFixed(3),
    plain.toFixed(3),
    ratio.toFixed(2),
    `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
    ratio <= MAX ? 'kept' : 'EXCEEDED',
  ].join('\t');
}

function toLines(
  shape: string,
  { comparisons, events, historyBytes, workflowTasks }: CpuFigures,
): string[] {
  const { provisionInstance: ours, plainProvision: plain } = events;
  const same = ours.join() === plain.join() ? 'the same' : `NOT the ${plain.length}`;
  const bytes = Object.values(historyBytes).join(' and ');
  return [
    `${shape}: ${ROUNDS * RUNS} runs each, ${workflowTasks} workflow tasks a run, ${ours.length} events, ${same} of the yardstick, ${bytes} bytes`,
    `measured\tms a task\tyardstick\tratio\tof all pairs\tat most ${MAX}`,
    ...comparisons.map(toLine),
    '',
  ];
}

const NOTES = `Medians of ${ROUNDS} pairs of ${RUNS} runs (live) or ${REPLAYS} replays. Whole process: workflow code, SDK, and
the activities, which both share; what a worker costs. Workflow threads: the sandbox and the SDK's
state machines alone. The starts of the runs are not counted.`;

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
