import { setTimeout as delay } from 'node:timers/promises';

import type { Simulator } from '../src/simulator/index.js';
import { inBatches } from '../test/support/timing/in-batches.js';
import { provisionInput } from '../test/support/inputs/provision-input.js';
import type { Scenario } from '../test/support/runs/scenario.js';
import { countBy } from './measure-run.js';

export interface WaitingFigures {
  /** Time to start all runs. */
  startSeconds: number;
  /** Tasks that still ran when nearly all were created. */
  open: number;
  /** While all tasks ran. */
  requestsPerSecond: number;
  /** Of them, lists of tasks: the watchers make these. */
  listsPerSecond: number;
  /** Resident memory of the open runs, with simulator and client. */
  kibPerRun: number;
  requestsPerRun: number;
  requests: ReadonlyMap<string, number>;
  /** Events of the first run. */
  events: number;
  /** Seconds from the end of each run's last task until its ledger shows the end. */
  noticed: number[];
}

export interface WaitingBench {
  runs: number;
  watchedMs: number;
  /** The next run starts when no more than these have not sent their create call. When left out, at once. */
  maxUnsent?: number;
}

const STARTS_IN_PARALLEL = 200;
/** Each open result is a call that stays open. */
const RESULTS_IN_PARALLEL = 500;

/** Starts the runs, measures them for `watchedMs` while they wait for their create task, then waits for their ends. */
export async function measureWaiting(
  { start, simulator }: Pick<Scenario, 'start' | 'simulator'>,
  { runs: count, watchedMs, maxUnsent = Infinity }: WaitingBench,
): Promise<WaitingFigures> {
  const before = process.memoryUsage().rss;
  const startedAt = Date.now();
  const created = countCreates(simulator);
  const runs = await inBatches([...Array(count).keys()], STARTS_IN_PARALLEL, async (index) => {
    while (index - created() > maxUnsent) await delay(100);
    const input = provisionInput();
    const name = `${input.instance.name ?? ''}-${index}`;
    return start('provisionInstance', { ...input, instance: { ...input.instance, name } });
  });
  const startSeconds = (Date.now() - startedAt) / 1000;
  const whileOpen = await watchOpen(simulator, { runs: count, watchedMs });
  const kibPerRun = (process.memoryUsage().rss - before) / 1024 / count;
  const results = await inBatches(runs, RESULTS_IN_PARALLEL, (run) => run.result());
  const ends = new Map(simulator.snapshot().tasks.map(({ id, endsAt }) => [id, endsAt]));
  const noticed = results.map(({ taskIds, ledger }) => {
    const lastEnd = Math.max(...taskIds.map((id) => ends.get(id) ?? Number.NaN));
    return (Date.parse(ledger[0]?.endedAt ?? '') - lastEnd) / 1000;
  });
  const { events } = (await runs[0]?.fetchHistory()) ?? {};
  return {
    startSeconds,
    ...whileOpen,
    kibPerRun,
    requestsPerRun: simulator.requests.length / count,
    requests: countBy(simulator.requests, kindOf),
    events: events?.length ?? 0,
    noticed,
  };
}

/** A server that is busy may lose a call on its way to a worker. Its run sends it again after the grace time. */
const MOST = 0.95;

/** Starts when nearly all runs have sent their create call. */
async function watchOpen(
  simulator: Simulator,
  { runs, watchedMs }: { runs: number; watchedMs: number },
): Promise<Pick<WaitingFigures, 'open' | 'requestsPerSecond' | 'listsPerSecond'>> {
  const { requests } = simulator;
  const created = countCreates(simulator);
  while (created() < runs * MOST) await delay(100);
  // Nobody looks at a task in its first 15 s.
  const before = requests.length;
  while (!requests.slice(before).some(({ path }) => path.startsWith(TASKS))) await delay(100);
  const open = simulator.snapshot().tasks.filter(({ endsAt }) => endsAt > Date.now()).length;
  const [from, count] = [Date.now(), requests.length];
  await delay(watchedMs);
  const seconds = (Date.now() - from) / 1000;
  const made = requests.slice(count);
  const lists = made.filter((request) => kindOf(request) === LIST_OF_TASKS);
  return {
    open,
    requestsPerSecond: made.length / seconds,
    listsPerSecond: lists.length / seconds,
  };
}

/** The create calls so far. Reads each request once. */
function countCreates({ requests }: Simulator): () => number {
  let [read, created] = [0, 0];
  return () => {
    for (; read < requests.length; read++) if (requests[read]?.method === 'POST') created++;
    return created;
  };
}

const TASKS = '/cloud/v1/tasks';
const LIST_OF_TASKS = `GET ${TASKS}`;

function kindOf({ method, path }: Simulator['requests'][number]): string {
  return `${method} ${path.replace(/[0-9a-f-]{36}/, ':id')}`;
}
