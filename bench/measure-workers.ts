import { randomUUID } from 'node:crypto';

import { Client, Connection } from '@temporalio/client';

import { WORKFLOW_TASK_QUEUE } from '../src/contract/wire/names.js';
import type { Scenario } from '../test/support/runs/scenario.js';
import { mostWithin } from '../test/support/timing/most-within.js';
import { inFaultWorld } from '../test/support/worlds/fault-world.js';
import { measureWaiting } from './measure-waiting.js';
import { percentile } from './percentile.js';

/** As in production. */
const WORKER = { speed: 1, reconcileGraceMs: 120_000, probeMs: 5_000, timeoutMs: 15_000 };
/** The default of GCORE_REQUESTS_PER_SECOND. */
const BUDGET = 10;
/** Several cycles of the watchers. */
const WATCHED_MS = 20_000;
/** A development server that gets many starts at once loses calls on their way to the workers, and the bench would measure that. */
const MAX_UNSENT = 40;

interface WorkersBench {
  workers: number;
  runs: number;
  taskSeconds: number;
}

/** The lines of a table in Markdown. */
export function tableRow(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

export function tableHead(columns: readonly string[]): string {
  return `${tableRow(columns)}\n${tableRow(columns.map(() => '---'))}`;
}

/** The budget is far above the need, so that only the watchers decide: at 10 a second the starts would take minutes. */
export const WATCHING_COLUMNS = [
  'workers',
  'runs',
  'tasks open when all wait',
  'lists/s while all wait',
  'other requests/s then',
  'requests a run',
  'events of a run',
  'end noticed p50',
  'p95',
] as const;

/** One row: this number of worker processes of one account, on a Temporal server of their own. */
export async function measureWatching(bench: WorkersBench): Promise<string> {
  const row: (string | number)[] = [bench.workers, bench.runs];
  await inWorld(bench, {}, async (scenario) => {
    const figures = await measureWaiting(scenario, {
      runs: bench.runs,
      watchedMs: WATCHED_MS,
      maxUnsent: MAX_UNSENT,
    });
    const { open, listsPerSecond, requestsPerSecond, requestsPerRun, events } = figures;
    const late = [50, 95].map((percent) => `${percentile(figures.noticed, percent).toFixed(2)} s`);
    const others = requestsPerSecond - listsPerSecond;
    row.push(open, listsPerSecond.toFixed(2), others.toFixed(2), requestsPerRun.toFixed(2));
    row.push(events, ...late);
  });
  return tableRow(row);
}

/** With the default budget, and with fewer runs: it decides how fast they start. */
export const BUDGET_COLUMNS = [
  'workers',
  'runs',
  'budget',
  'most in any 1 s',
  'most in any 10 s, a second',
  'requests a run',
  'all sent within',
] as const;

/** One row: all processes start together, and their requests are counted where they arrive. */
export async function measureBudget(bench: WorkersBench): Promise<string> {
  const row: (string | number)[] = [bench.workers, bench.runs, `${BUDGET}/s`];
  await inWorld(bench, { requestsPerSecond: BUDGET }, async ({ start, simulator }) => {
    await measureWaiting({ start, simulator }, { runs: bench.runs, watchedMs: 0 });
    const times = simulator.requests.map(({ at }) => at);
    const [inOne, inTen] = [1_000, 10_000].map((ms) => mostWithin(times, ms));
    const seconds = (Math.max(...times) - Math.min(...times)) / 1000;
    row.push(inOne ?? 0, ((inTen ?? 0) / 10).toFixed(1));
    row.push((times.length / bench.runs).toFixed(2), `${seconds.toFixed(0)} s`);
  });
  return tableRow(row);
}

type Measured = Pick<Scenario, 'start' | 'simulator'>;

async function inWorld(
  { workers, taskSeconds }: WorkersBench,
  budget: { requestsPerSecond?: number },
  measure: (scenario: Measured) => Promise<void>,
): Promise<void> {
  await inFaultWorld(
    async (world) => {
      await Promise.all(Array.from({ length: workers }, () => world.startWorker()));
      const connection = await Connection.connect({ address: world.address });
      await measure({ start: startOf(connection), simulator: world.simulator });
      await connection.close();
    },
    { timeScale: taskSeconds / 15, fast: { ...WORKER, ...budget } },
  );
}

function startOf(connection: Connection): Measured['start'] {
  const client = new Client({ connection });
  return (operation, input, workflowId = randomUUID()) =>
    client.workflow.start(operation, {
      workflowId,
      taskQueue: WORKFLOW_TASK_QUEUE,
      args: [input],
    });
}
