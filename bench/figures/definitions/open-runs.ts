import { slopeOf } from '../../least-squares.js';
import { measureOpenRuns, type OpenRunsSample } from '../../memory/measure-open-runs.js';
import { WAYS, type Way } from '../../waiting/ways.js';
import type { FigureDefinition } from '../definition.js';
import type { FigureRow } from '../document/figure.js';

const MIB_PER_GIB = 1_024;
const KIB_PER_MIB = 1_024;
const PLANS = {
  full: { steps: [0, 200, 400, 600, 800, 1_000], settleMs: 10_000 },
  quick: { steps: [0, 5, 10], settleMs: 500 },
} as const;

export const openRuns: FigureDefinition = {
  id: 'open-runs',
  title: 'Memory of open runs',
  about: `Resident memory of one worker process in which more and more runs wait for a task, all of them cached. A row is a number of runs, with
the median of five seconds; *per run* is the slope by least squares over all rows. A worker caches 1,000 runs and drops the run that it has not used
longest, which costs a replay and loses nothing: open runs are not limited by this. Beside it the loops of *Many runs that wait*.`,
  columns: [
    { key: 'way', title: 'way' },
    { key: 'runs', title: 'open runs' },
    { key: 'resident', title: 'resident', unit: 'MiB' },
    { key: 'perRun', title: 'per run', unit: 'KiB' },
    { key: 'perGib', title: 'runs per GiB' },
  ],
  chart: { kind: 'line', x: 'runs', series: 'way', panels: [['resident']] },
  parts: ['provisionInstance', 'timer and activity, 3 s', 'poll of 3 s, no Temporal'],
  minutes: 6,
  async measure(part, size) {
    const samples = await measureOpenRuns(wayOf(part), PLANS[size]);
    return { rows: toRows(part, samples) };
  },
};

function wayOf(part: string): Way {
  const way = WAYS.find(({ name }) => name === part);
  if (way === undefined) throw new Error(`No way ${part}`);
  return way;
}

/** The slope stands in the last row. */
function toRows(way: string, samples: readonly OpenRunsSample[]): FigureRow[] {
  const mib = slopeOf(samples.map(({ runs, residentMib }) => ({ x: runs, y: residentMib })));
  return samples.map(({ runs, residentMib }, index) => ({
    way,
    runs,
    resident: residentMib,
    ...(index === samples.length - 1 && {
      perRun: mib * KIB_PER_MIB,
      perGib: mib > 0 ? Math.round(MIB_PER_GIB / mib) : null,
    }),
  }));
}
