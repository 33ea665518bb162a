import { percentile } from '../../percentile.js';
import { measureWay, type WaitingPlan, type WayFigures } from '../../waiting/measure-way.js';
import { WAYS, type Way } from '../../waiting/ways.js';
import { inBatches } from '../../../test/support/timing/in-batches.js';
import type { FigureDefinition, Size } from '../definition.js';
import type { FigureRow } from '../document/figure.js';

interface Plan extends WaitingPlan {
  /** Worlds side by side, each with these runs. */
  worlds: number;
}

const BASE = { maxUnsent: 40, watchedMs: 15_000, worlds: 1 };
const MINUTE_MS = 60_000;

/** One run is measured four times. Tasks of 5,000 runs last longer, so that nearly all wait at the same time. */
const PLANS: Readonly<Record<string, Plan>> = {
  '1': { ...BASE, runs: 1, worlds: 4, taskSeconds: 45, limitMs: 4 * MINUTE_MS },
  '150': { ...BASE, runs: 150, taskSeconds: 45, limitMs: 5 * MINUTE_MS },
  '1000': { ...BASE, runs: 1_000, taskSeconds: 45, limitMs: 6 * MINUTE_MS },
  '5000': { ...BASE, runs: 5_000, taskSeconds: 150, limitMs: 9 * MINUTE_MS },
};

const QUICK = { taskSeconds: 4, watchedMs: 1_000, limitMs: MINUTE_MS };
function planOf(part: string, size: Size): Plan {
  const plan = PLANS[part];
  if (plan === undefined) throw new Error(`No plan for ${part} runs`);
  return size === 'full' ? plan : { ...plan, ...QUICK, worlds: 1, runs: 5 };
}

export const waiting: FigureDefinition = {
  id: 'waiting',
  title: 'Many runs that wait',
  about: `The same create call, and the wait for its task, in three ways: \`provisionInstance\`; a loop in a plain process that
reads the task every 3 s, as the official clients of the API do (no Temporal, so the loop dies with its process); and the
loop of Temporal's samples, a timer and an activity every 3 s. In real time, with the waits and polls of production and
one worker process each. *Late* is the time from the end of a task until its run knew of it. A run that did not know
within the limit (4 to 9 minutes) counts as later than all others, so a percentile of such runs has no value.`,
  columns: [
    { key: 'runs', title: 'runs that wait' },
    { key: 'way', title: 'way' },
    { key: 'task', title: 'tasks take', unit: 's' },
    { key: 'requests', title: 'requests per run' },
    { key: 'perSecond', title: 'requests while all wait', unit: '1/s' },
    { key: 'events', title: 'events per run' },
    { key: 'late50', title: 'late p50', unit: 's' },
    { key: 'late95', title: 'late p95', unit: 's' },
    { key: 'ended', title: 'ended in time', unit: '%' },
    { key: 'cpu', title: 'CPU per run', unit: 'ms' },
  ],
  chart: { kind: 'bar', x: 'runs', series: 'way', panels: [['requests'], ['events'], ['late95']] },
  parts: ['1', '150', '1000', '5000'],
  minutes: 38,
  async measure(part, size) {
    const plan = planOf(part, size);
    // One way after the other, so that no way disturbs another.
    return {
      rows: await inBatches(WAYS, size === 'quick' ? WAYS.length : 1, (way) => rowOf(way, plan)),
    };
  },
};

async function rowOf(way: Way, plan: Plan): Promise<FigureRow> {
  const worlds = Array.from({ length: plan.worlds }, () => measureWay(way, plan));
  return toRow(plan, way.name, await Promise.all(worlds));
}

function toRow(plan: Plan, way: string, worlds: readonly WayFigures[]): FigureRow {
  const mean = (of: (figures: WayFigures) => number): number | null =>
    finite(worlds.reduce((sum, each) => sum + of(each), 0) / worlds.length);
  const noticed = worlds.flatMap((world) => world.noticed);
  const ended = noticed.filter((seconds) => Number.isFinite(seconds)).length;
  return {
    runs: String(plan.runs),
    way,
    task: `${plan.taskSeconds} to ${plan.taskSeconds * 2}`,
    requests: mean(({ requestsPerRun }) => requestsPerRun),
    perSecond: mean(({ requestsPerSecond }) => requestsPerSecond),
    events: mean(({ events }) => events),
    late50: finite(percentile(noticed, 50)),
    late95: finite(percentile(noticed, 95)),
    ended: (100 * ended) / noticed.length,
    cpu: mean(({ cpuMsPerRun }) => cpuMsPerRun),
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
