import { z } from 'zod';

import { DEFAULT_CACHED_RUNS } from '../../src/config.js';
import { inBatches } from '../../test/support/timing/in-batches.js';
import { defineBench, number } from '../bench.js';
import type { FigureRow } from '../document/figure.js';
import { cpuMsOf, temporalPidAt } from '../processes.js';
import { percentile, sumOf } from '../statistics.js';
import { inBenchWorld } from '../worlds.js';
import { measureManyRuns, type ManyRunsFigures } from './many-runs.js';
import { WAYS, type Way } from './ways.js';

const MINUTE_MS = 60_000;
const MAX_UNSENT = 40;
/** The simulated create takes 15 to 30 s. */
const SHORTEST_CREATE_SECONDS = 15;

const settings = z.strictObject({
  runs: number(1_000),
  /** Shortest duration of a task; the longest is twice as long. */
  taskSeconds: number(45),
  /** Side by side, each with these runs. */
  worlds: number(1),
  limitMinutes: number(6),
  watchedSeconds: number(15),
  /** Only ways with this in their name. */
  way: z.string().default(''),
  /** Of `provisionInstance`. */
  cachedRuns: number(DEFAULT_CACHED_RUNS),
  /** One way after the other, so that no way disturbs another. */
  waysAtOnce: number(1),
});
type Plan = z.output<typeof settings>;

export const waiting = defineBench({
  id: 'waiting',
  title: 'Many runs that wait',
  summary: 'runs that wait for their task, beside a plain polling loop and a timer loop',
  minutes: 80,
  columns: [
    { key: 'runs', title: 'runs that wait' },
    { key: 'way', title: 'way' },
    { key: 'task', title: 'tasks take', unit: 's' },
    { key: 'unbegun', title: 'not begun', unit: '%' },
    { key: 'requests', title: 'requests per run' },
    { key: 'perSecond', title: 'requests while all wait', unit: '1/s' },
    { key: 'events', title: 'events per run' },
    { key: 'late50', title: 'late p50', unit: 's' },
    { key: 'late95', title: 'late p95', unit: 's' },
    { key: 'ended', title: 'ended in time', unit: '%' },
    { key: 'cpu', title: 'CPU per run', unit: 'ms' },
    { key: 'waiterCpu', title: 'CPU while all wait', unit: 'ms/s' },
    { key: 'serverCpu', title: 'of the server', unit: 'ms/s' },
    { key: 'endCpu', title: 'CPU per end', unit: 'ms' },
  ],
  page: {
    about: `The same create call, and the wait for its task, in three ways: \`provisionInstance\`; a loop in a plain process that
reads the task every 3 s, as the official clients of the API do (no Temporal, so the loop dies with its process); and the
loop of Temporal's samples, a timer and an activity every 3 s. In real time, with the waits and polls of production and
one worker process each. *Late* is the time from the end of a task until its run knew of it. A run that did not know
within the limit (4 to 58 minutes) counts as later than all others, so a percentile of such runs has no value. A run is *not
begun* when its create call was not sent within the limit: it waits for nothing, so it is not late. *CPU while all wait* is
that of the process that waits, and beside it that of the Temporal server, in 15 s in which hardly a task ends; *CPU per end* is that
of the process from then on, for each task that ends. A worker caches 1,000 runs, so most runs of the larger rows are
replayed for their end. In the rows of 5,000 and 20,000 the last runs still begin while the others are watched. 20,000 are measured
without the other two ways, which fall behind at 5,000.`,
    chart: {
      kind: 'bar',
      x: 'runs',
      series: 'way',
      panels: [['requests'], ['events'], ['late95']],
    },
  },
  settings,
  // One run is measured four times. Tasks of many runs last longer, so that nearly all wait at the same time.
  parts: {
    '1': { runs: 1, worlds: 4, limitMinutes: 4 },
    '150': { runs: 150, limitMinutes: 5 },
    '1000': { runs: 1_000, limitMinutes: 6 },
    '5000': { runs: 5_000, taskSeconds: 150, limitMinutes: 9 },
    '20000': { runs: 20_000, taskSeconds: 1_100, limitMinutes: 58, way: 'provisionInstance' },
  },
  quick: { runs: 5, worlds: 1, taskSeconds: 4, watchedSeconds: 1, limitMinutes: 1, waysAtOnce: 3 },
  measure: async (plan) => ({
    rows: await inBatches(waysOf(plan), plan.waysAtOnce, (way) => measureWay(way, plan)),
  }),
});

function waysOf({ way }: Plan): Way[] {
  const ways = WAYS.filter(({ name }) => name.includes(way));
  if (ways.length === 0) throw new Error(`No way with ${way} in its name`);
  return ways;
}

interface WayFigures extends ManyRunsFigures {
  /** Of the process that waits. */
  cpuMsPerRun: number;
}

async function measureWay(way: Way, plan: Plan): Promise<FigureRow> {
  const worlds = await Promise.all(
    Array.from({ length: plan.worlds }, () => measureWorld(way, plan)),
  );
  return toRow(plan, way.name, worlds);
}

function measureWorld(way: Way, plan: Plan): Promise<WayFigures> {
  const { runs, taskSeconds, watchedSeconds, limitMinutes, cachedRuns } = plan;
  return inBenchWorld({ timeScale: taskSeconds / SHORTEST_CREATE_SECONDS }, async (world) => {
    const open = await way.open(world, { cachedRuns });
    try {
      const cpuBefore = cpuMsOf(open.pid);
      const server = temporalPidAt(world.address);
      const figures = await measureManyRuns(world, (index) => open.begin(index), {
        runs,
        maxUnsent: MAX_UNSENT,
        watchedMs: watchedSeconds * 1_000,
        limitMs: limitMinutes * MINUTE_MS,
        meters: { waiter: () => cpuMsOf(open.pid), server: () => cpuMsOf(server) },
      });
      const begun = Math.max(figures.created, 1);
      return { ...figures, cpuMsPerRun: (cpuMsOf(open.pid) - cpuBefore) / begun };
    } finally {
      await open.close?.();
    }
  });
}

function toRow(plan: Plan, way: string, worlds: readonly WayFigures[]): FigureRow {
  const mean = (of: (figures: WayFigures) => number): number =>
    sumOf(worlds.map(of)) / worlds.length;
  const rate = (meter: string) => mean(({ perSecond }) => perSecond[meter] ?? Number.NaN);
  const noticed = worlds.flatMap((world) => world.noticed);
  const ended = noticed.filter((seconds) => Number.isFinite(seconds)).length;
  return {
    runs: String(plan.runs),
    way,
    task: `${plan.taskSeconds} to ${plan.taskSeconds * 2}`,
    requests: mean(({ requestsPerRun }) => requestsPerRun),
    unbegun: 100 * (1 - mean(({ created }) => created) / plan.runs),
    perSecond: rate('requests'),
    events: mean(({ events }) => events),
    late50: percentile(noticed, 50),
    late95: percentile(noticed, 95),
    ended: (100 * ended) / noticed.length,
    cpu: mean(({ cpuMsPerRun }) => cpuMsPerRun),
    waiterCpu: rate('waiter'),
    serverCpu: rate('server'),
    endCpu: mean(({ perEnd }) => perEnd['waiter'] ?? Number.NaN),
  };
}
