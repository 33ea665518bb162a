import { DefaultLogger, Runtime } from '@temporalio/worker';

import { bundleContenders, measureCpu, type Comparison } from '../../cpu/measure-cpu.js';
import { LIMITED_MEASURE, MAX_CPU_RATIO, SHAPES } from '../../cpu/shapes.js';
import { percentile } from '../../percentile.js';
import { rangeOf } from '../../range-of.js';
import { withTemporal } from '../../with-temporal.js';
import type { FigureDefinition } from '../definition.js';
import type { FigureRow, Measured } from '../document/figure.js';

const COUNTS = {
  full: { rounds: 6, runs: 50, replays: 200 },
  quick: { rounds: 1, runs: 3, replays: 5 },
} as const;

export const cpu: FigureDefinition = {
  id: 'cpu',
  title: 'CPU per workflow task',
  about: `A workflow task of \`provisionInstance\` beside one of its twin: a workflow that makes the same commands of the same size,
without engine, status, updates, ledger and rollback. Both run in turns in one process, with the same activities that
answer at once. The ratio is the median of six pairs of 50 runs (live) or 200 replays of a stored history. *Whole process* is a worker with
workflow code, SDK and activities, and the limit is for it; *workflow threads* are only the sandbox and the SDK's state machines.`,
  columns: [
    { key: 'where', title: 'how it waits, what is measured' },
    { key: 'ours', title: 'provisionInstance', unit: 'ms' },
    { key: 'twin', title: 'twin', unit: 'ms' },
    { key: 'ratio', title: 'ratio' },
    { key: 'pairs', title: 'ratio of all pairs' },
    { key: 'events', title: 'events per run' },
    { key: 'tasks', title: 'workflow tasks per run' },
  ],
  chart: { kind: 'bar', x: 'where', panels: [['ours', 'twin']] },
  parts: ['watched', 'ten looks'],
  minutes: 5,
  async measure(part, size) {
    const shape = SHAPES[part];
    if (shape === undefined) throw new Error(`No shape ${part}`);
    Runtime.install({ logger: new DefaultLogger('ERROR') });
    let measured: Measured = { rows: [] };
    await withTemporal({ exactTimers: true }, async (address) => {
      const bundles = await bundleContenders();
      const figures = await measureCpu({ address, bundles, shape, ...COUNTS[size] });
      const { comparisons, events, workflowTasks } = figures;
      const isSame = events.provisionInstance.join() === events.plainProvision.join();
      measured = {
        rows: comparisons.map((comparison) => ({
          ...toRow(part, comparison),
          ...{ events: events.provisionInstance.length, tasks: workflowTasks },
        })),
        checks: [
          { promise: `The twin has the same events (${part})`, kept: isSame },
          ...comparisons
            .filter(({ measure }) => measure === LIMITED_MEASURE)
            .map(({ measure, ratios }) => ({
              promise: `At most ${MAX_CPU_RATIO} times the twin (${part}, ${measure})`,
              kept: percentile(ratios, 50) <= MAX_CPU_RATIO,
            })),
        ],
      };
    });
    return measured;
  },
};

function toRow(part: string, { measure, ours, plain, ratios }: Comparison): FigureRow {
  return {
    where: `${part}: ${measure}`,
    ours: finite(ours),
    twin: finite(plain),
    ratio: finite(percentile(ratios, 50)),
    pairs: rangeOf(ratios),
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
