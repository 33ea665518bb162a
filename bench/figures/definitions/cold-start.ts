import { measureColdStarts } from '../../cold-start/measure-cold-start.js';
import { percentile } from '../../percentile.js';
import type { FigureDefinition } from '../definition.js';

const ROUNDS = { full: 12, quick: 1 } as const;

export const coldStart: FigureDefinition = {
  id: 'cold-start',
  title: 'Cold start',
  about: `From the start of a worker process until it is ready, and until a run that was waiting for it has ended (\`listSshKeys\`: one
read of the API). Ours loads the bundle of \`npm run build\`. Beside it a worker with a single small workflow, which bundles at its start as
Temporal's samples do. Twelve starts of each, in turns.`,
  columns: [
    { key: 'worker', title: 'worker' },
    { key: 'ready50', title: 'ready p50', unit: 'ms' },
    { key: 'ready95', title: 'ready p95', unit: 'ms' },
    { key: 'first50', title: 'first run ended p50', unit: 'ms' },
    { key: 'first95', title: 'first run ended p95', unit: 'ms' },
  ],
  chart: { kind: 'bar', x: 'worker', panels: [['ready50', 'first50']] },
  parts: ['both'],
  minutes: 2,
  async measure(_, size) {
    const starts = await measureColdStarts(ROUNDS[size]);
    const rows = [...starts].map(([worker, each]) => {
      const ready = each.map((start) => start.ready);
      const first = each.map((start) => start.firstRun);
      return {
        worker,
        ready50: percentile(ready, 50),
        ready95: percentile(ready, 95),
        first50: percentile(first, 50),
        first95: percentile(first, 95),
      };
    });
    return { rows };
  },
};
