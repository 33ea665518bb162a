import { measureOverhead, type BatchCost } from '../../overhead/measure-overhead.js';
import { VARIANTS } from '../../overhead/variants.js';
import { percentile } from '../../percentile.js';
import { rangeOf } from '../../range-of.js';
import type { FigureDefinition } from '../definition.js';

const PLANS = {
  full: { pairs: 4, runs: 300, atOnce: 300, warmUp: 50 },
  quick: { pairs: 1, runs: 4, atOnce: 4, warmUp: 2 },
} as const;

const [first, ...others] = VARIANTS.map(({ name }) => name);

export const overhead: FigureDefinition = {
  id: 'overhead',
  title: 'Overhead of settings',
  about: `The worker of \`npm start\` with one setting more, beside the same worker without it, in turns: four pairs of 300 runs at a time of \`provisionInstance\`, each in a new
process. CPU of the whole process per run; the ratio is the median of the pairs.`,
  columns: [
    { key: 'setting', title: 'setting' },
    { key: 'without', title: 'CPU per run without', unit: 'ms' },
    { key: 'with', title: 'CPU per run with', unit: 'ms' },
    { key: 'ratio', title: 'ratio' },
    { key: 'pairs', title: 'ratio of all pairs' },
    { key: 'memoryWithout', title: 'resident without', unit: 'MiB' },
    { key: 'memoryWith', title: 'resident with', unit: 'MiB' },
  ],
  chart: { kind: 'bar', x: 'setting', panels: [['without', 'with']] },
  parts: [first ?? '', ...others],
  minutes: 18,
  async measure(part, size) {
    const variant = VARIANTS.find(({ name }) => name === part);
    if (variant === undefined) throw new Error(`No setting ${part}`);
    const figures = await measureOverhead(variant, PLANS[size]);
    const ratios = figures.with.map(
      ({ cpuMsPerRun }, pair) => cpuMsPerRun / (figures.without[pair]?.cpuMsPerRun ?? Number.NaN),
    );
    const median = (batches: readonly BatchCost[], of: (batch: BatchCost) => number): number =>
      percentile(batches.map(of), 50);
    return {
      rows: [
        {
          setting: part,
          without: median(figures.without, ({ cpuMsPerRun }) => cpuMsPerRun),
          with: median(figures.with, ({ cpuMsPerRun }) => cpuMsPerRun),
          ratio: percentile(ratios, 50),
          pairs: rangeOf(ratios),
          memoryWithout: median(figures.without, ({ residentMib }) => residentMib),
          memoryWith: median(figures.with, ({ residentMib }) => residentMib),
        },
      ],
    };
  },
};
