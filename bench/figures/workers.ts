import { z } from 'zod';

import { mostWithin } from '../../test/support/timing/most-within.js';
import { defineBench, number, numbers } from '../bench.js';
import type { FigureRow } from '../document/figure.js';
import { residentMibOf } from '../processes.js';
import { sumOf } from '../statistics.js';
import { inBenchWorld, ready, type BenchWorld } from '../worlds.js';
import { lateness, measureManyRuns, type ManyRunsFigures } from './many-runs.js';
import { SHORTEST_CREATE_SECONDS } from './waiting.js';
import { beginOurs } from './ways.js';

/** The default of GCORE_REQUESTS_PER_SECOND. */
const BUDGET = 10;
const BUDGET_TASK_SECONDS = 30;
/** A development server that gets many starts at once loses calls on their way to the workers, and the bench would measure that. */
const MAX_UNSENT = 40;
const LIMIT_MS = 2 * 60 * 60_000;
const KIB_PER_MIB = 1_024;

/** For 5,000 runs use tasks of 300 s: no task should end before all runs have begun. */
export const workers = defineBench({
  id: 'workers',
  title: 'Runs that wait in several processes',
  summary: 'what many runs send from 1 to 8 worker processes of one account, and within its budget',
  minutes: 25,
  columns: [
    { key: 'workers', title: 'workers' },
    { key: 'runs', title: 'runs' },
    { key: 'budget', title: 'budget', unit: '1/s' },
    { key: 'started', title: 'started within', unit: 's' },
    { key: 'open', title: 'tasks open when all wait' },
    { key: 'lists', title: 'lists while all wait', unit: '1/s' },
    { key: 'others', title: 'other requests then', unit: '1/s' },
    { key: 'mostInOne', title: 'most in any 1 s' },
    { key: 'mostInTen', title: 'most in any 10 s', unit: '1/s' },
    { key: 'requests', title: 'requests a run' },
    { key: 'events', title: 'events of a run' },
    { key: 'memory', title: 'resident of an open run', unit: 'KiB' },
    { key: 'sent', title: 'all sent within', unit: 's' },
    { key: 'late50', title: 'end noticed p50', unit: 's' },
    { key: 'late95', title: 'p95', unit: 's' },
  ],
  settings: z.strictObject({
    workers: numbers(1, 2, 4, 8),
    runs: number(1_000),
    taskSeconds: number(45),
    /** Several cycles of the watchers. */
    watchedSeconds: number(20),
    /** Fewer, because the budget decides how fast they start; 0: none. */
    budgetRuns: number(200),
  }),
  quick: { workers: '2', runs: 5, taskSeconds: 15, watchedSeconds: 1, budgetRuns: 5 },
  async measure({ workers: counts, runs, taskSeconds, watchedSeconds, budgetRuns }) {
    const rows: FigureRow[] = [];
    const remarks: string[] = [];
    for (const count of counts) {
      const many = { count, runs, taskSeconds, watchedMs: watchedSeconds * 1_000 };
      const figures = await measureWorkers(many, { maxUnsent: MAX_UNSENT });
      rows.push(figures.row);
      const kinds = [...figures.requests].map(([kind, each]) => `${kind}: ${each}`);
      remarks.push(`Requests with ${count} workers: ${kinds.join(', ')}.`);
    }
    if (budgetRuns === 0) return { rows, remarks };
    for (const count of counts) {
      const few = { count, runs: budgetRuns, taskSeconds: BUDGET_TASK_SECONDS, watchedMs: 0 };
      rows.push((await measureWorkers(few, { budget: BUDGET })).row);
    }
    return { rows, remarks };
  },
});

interface Installation {
  count: number;
  runs: number;
  taskSeconds: number;
  watchedMs: number;
}

/** All at once with a budget. Without one it is far above the need, so that only the watchers decide. */
type Pressure =
  { maxUnsent: number; budget?: undefined } | { budget: number; maxUnsent?: undefined };

/** This number of worker processes of one account, on a Temporal server of their own. */
function measureWorkers(
  { count, runs, taskSeconds, watchedMs }: Installation,
  { maxUnsent = Infinity, budget }: Pressure,
): Promise<{ row: FigureRow; requests: ManyRunsFigures['requests'] }> {
  const timeScale = taskSeconds / SHORTEST_CREATE_SECONDS;
  return inBenchWorld({ timeScale, exactTimers: true }, async (world) => {
    const limit = budget === undefined ? {} : { requestsPerSecond: budget };
    const processes = await Promise.all(
      Array.from({ length: count }, () => ready(world.spawnOurs(limit))),
    );
    const resident = () => sumOf(processes.map(({ child }) => residentMibOf(child.pid)));
    const before = resident();
    let memory = Number.NaN;
    const figures = await measureManyRuns(world, (index) => beginOurs(world, index), {
      runs,
      maxUnsent,
      watchedMs,
      limitMs: LIMIT_MS,
      onWaiting: () => {
        memory = ((resident() - before) * KIB_PER_MIB) / runs;
      },
    });
    const ofPressure = budget === undefined ? watching(figures) : { budget, ...sending(world) };
    const { startSeconds: started, requestsPerRun: requests, events } = figures;
    const row = { workers: count, runs, started, requests, events, memory, ...ofPressure };
    return { row, requests: figures.requests };
  });
}

function watching(figures: ManyRunsFigures) {
  const { open, listsPerSecond: lists, requestsPerSecond } = figures;
  return { open, lists, others: requestsPerSecond - lists, ...lateness(figures) };
}

/** Counted where the requests arrive. */
function sending({ simulator }: BenchWorld) {
  const times = simulator.requests.map(({ at }) => at);
  return {
    mostInOne: mostWithin(times, 1_000),
    mostInTen: mostWithin(times, 10_000) / 10,
    sent: (Math.max(...times) - Math.min(...times)) / 1_000,
  };
}
