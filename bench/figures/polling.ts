import { z } from 'zod';

import { inScenario, type Scenario } from '../../test/support/runs/scenario.js';
import { defineBench, number } from '../bench.js';
import type { FigureRow } from '../document/figure.js';
import { runNaive, runProduct, type RunFigures } from '../measure-run.js';
import { medianOf } from '../statistics.js';
import { withTemporal } from '../worlds.js';

const NAIVE_POLL_MS = 3_000;

/** What a row shows of one run. */
const WAYS: Readonly<Record<string, (scenario: Scenario) => Promise<RunFigures>>> = {
  provisionInstance: runProduct,
  'timer loop of 3 s': (scenario) => runNaive(scenario, NAIVE_POLL_MS),
};

/** In real time on one server. Absolute figures depend on the machine, ratios less so. */
export const polling = defineBench({
  id: 'polling',
  title: 'A run beside a timer loop',
  summary: 'events, requests and lateness of a run in real time, beside a timer loop of 3 s',
  minutes: 1,
  columns: [
    { key: 'way', title: 'median of a run' },
    { key: 'seconds', title: 'time', unit: 's' },
    { key: 'events', title: 'events' },
    { key: 'kib', title: 'history', unit: 'KiB' },
    { key: 'requests', title: 'requests' },
    { key: 'taskReads', title: 'of these reads of the task' },
    { key: 'late', title: 'end noticed after', unit: 's' },
  ],
  settings: z.strictObject({ runs: number(6) }),
  quick: { runs: 1 },
  measure: ({ runs }) =>
    withTemporal({}, async () => {
      const seeds = Array.from({ length: runs }, (_, index) => index + 1);
      const rows = Object.entries(WAYS).map(async ([way, measure]) => {
        const measured = seeds.map((seed) => inScenario({ speed: 1, seed }, measure));
        return toRow(way, await Promise.all(measured));
      });
      return { rows: await Promise.all(rows) };
    }),
});

function toRow(way: string, runs: readonly RunFigures[]): FigureRow {
  return {
    way,
    seconds: medianOf(runs, ({ seconds }) => seconds),
    events: medianOf(runs, ({ events }) => events),
    kib: medianOf(runs, ({ historyBytes }) => historyBytes) / 1_024,
    requests: medianOf(runs, ({ requests }) => requests),
    taskReads: medianOf(runs, ({ taskReads }) => taskReads),
    late: medianOf(runs, ({ noticedAfterSeconds }) => noticedAfterSeconds),
  };
}
