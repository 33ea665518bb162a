import { slopeOf } from '../../least-squares.js';
import {
  measureSoak,
  type SoakFigures,
  type SoakPlan,
  type SoakSample,
} from '../../soak/measure-soak.js';
import type { FigureDefinition } from '../definition.js';
import type { FigureRow, Measured } from '../document/figure.js';

const MINUTES_PER_HOUR = 60;
/** Caches fill and code is compiled in this share of the time. */
const WARM_UP = 0.25;
const ROWS = 12;
const PLANS = {
  full: { minutes: 120, perMinute: 20, faults: 0.05 },
  quick: { minutes: 0.5, perMinute: 14, faults: 0 },
} as const;

export const SOAK_PART = 'worker and gateway';

export const soak: FigureDefinition = {
  id: 'soak',
  title: 'Soak',
  about: `Two hours of 20 runs a minute, all operations in turns, started and awaited through the gateway, while every twentieth request to the API meets a fault: lost requests and answers, 502,
503, 429, broken JSON, HTML, a late answer, no answer. Worker and gateway are processes of their own with the settings of production, in real time. At the end each run's ledger is compared with
what exists. The slope is by least squares after the first quarter of the time.`,
  command: 'npm run bench:soak',
  columns: [
    { key: 'minute', title: 'minute' },
    { key: 'runs', title: 'runs' },
    { key: 'worker', title: 'worker resident', unit: 'MiB' },
    { key: 'workerHeap', title: 'worker heap', unit: 'MiB' },
    { key: 'gateway', title: 'gateway resident', unit: 'MiB' },
    { key: 'gatewayHeap', title: 'gateway heap', unit: 'MiB' },
  ],
  chart: {
    kind: 'line',
    x: 'minute',
    panels: [
      ['worker', 'gateway'],
      ['workerHeap', 'gatewayHeap'],
    ],
  },
  parts: [SOAK_PART],
  apart: true,
  minutes: 130,
  measure: (_, size) => measureSoakFigure({ ...PLANS[size], onProgress: () => undefined }),
};

export async function measureSoakFigure(plan: SoakPlan): Promise<Measured> {
  const figures = await measureSoak(plan);
  const { samples, verdicts, requests, faults, mostOfOne, exitCodes } = figures;
  const failed = verdicts.filter(({ hasFailed }) => hasFailed).length;
  const differences = verdicts.reduce((sum, verdict) => sum + verdict.differences, 0);
  const share = ((100 * faults) / requests).toFixed(1);
  return {
    rows: thinned(samples).map(toRow),
    remarks: [
      `${verdicts.length} runs in ${plan.minutes} minutes; ${faults} of ${requests} requests (${share} %) met a fault.`,
      ...describeSlopes(figures, plan.minutes),
      ...describeWrong(verdicts),
    ],
    checks: [
      { promise: `No run failed (${failed})`, kept: failed === 0 },
      { promise: `No request has two of anything (at most ${mostOfOne})`, kept: mostOfOne <= 1 },
      { promise: `Ledgers and cloud agree (${differences} differences)`, kept: differences === 0 },
      {
        promise: 'Both processes end with 0 on SIGTERM',
        kept: exitCodes.every((code) => code === 0),
      },
    ],
  };
}

const MAX_NAMED = 5;

function describeWrong(verdicts: SoakFigures['verdicts']): string[] {
  return verdicts
    .filter(({ hasFailed, differences }) => hasFailed || differences > 0)
    .slice(0, MAX_NAMED)
    .map(({ workflowId, hasFailed, differences, reason = '' }) => {
      const [line = ''] = reason.split('\n', 1);
      return `${workflowId}: ${hasFailed ? 'failed' : 'succeeded'}, ${differences} differences. ${line}`;
    });
}

/** Growth in MiB an hour, after the warm-up and while runs are started. */
function describeSlopes({ samples }: SoakFigures, minutes: number): string[] {
  const later = samples.filter(({ minute }) => minute >= minutes * WARM_UP && minute <= minutes);
  const slope = (of: (sample: SoakSample) => number): string => {
    const perMinute = slopeOf(later.map((sample) => ({ x: sample.minute, y: of(sample) })));
    return `${(perMinute * MINUTES_PER_HOUR).toFixed(1)} MiB/h`;
  };
  const process = (name: 'worker' | 'gateway'): string =>
    `Memory of the ${name}: resident ${slope((each) => each[name].residentMib)}, heap ${slope((each) => each[name].heapMib)}.`;
  return [process('worker'), process('gateway')];
}

function thinned(samples: readonly SoakSample[]): SoakSample[] {
  const every = Math.max(1, Math.floor(samples.length / ROWS));
  return samples.filter((_, index) => index % every === 0);
}

function toRow({ minute, runs, worker, gateway }: SoakSample): FigureRow {
  return {
    minute: Math.round(minute * 10) / 10,
    runs,
    worker: worker.residentMib,
    workerHeap: worker.heapMib,
    gateway: gateway.residentMib,
    gatewayHeap: gateway.heapMib,
  };
}
