import { setTimeout as delay } from 'node:timers/promises';

import type { Simulator } from '../src/simulator/index.js';
import { inBatches } from '../test/support/timing/in-batches.js';
import { provisionInput } from '../test/support/inputs/provision-input.js';
import type { Scenario } from '../test/support/runs/scenario.js';
import { countBy } from './measure-run.js';

export interface WaitingFigures {
  /** Time to start all runs. */
  startSeconds: number;
  /** Tasks that still ran when the last was created. */
  open: number;
  /** While all tasks ran. */
  requestsPerSecond: number;
  /** Resident memory of the open runs, with simulator and client. */
  kibPerRun: number;
  requestsPerRun: number;
  requests: ReadonlyMap<string, number>;
  /** Events of the first run. */
  events: number;
  /** Seconds from the end of each run's last task until its ledger shows the end. */
  noticed: number[];
}

const STARTS_IN_PARALLEL = 200;
/** Each open result is a call that stays open. */
const RESULTS_IN_PARALLEL = 500;

/** Starts the runs, measures them for `watchedMs` while they wait for their create task, then waits for their ends. */
export async function measureWaiting(
  { start, simulator }: Scenario,
  { runs: count, watchedMs }: { runs: number; watchedMs: number },
): Promise<WaitingFigures> {
  const before = process.memoryUsage().rss;
  const startedAt = Date.now();
  const runs = await inBatches([...Array(count).keys()], STARTS_IN_PARALLEL, () =>
    start('provisionInstance', provisionInput()),
  );
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

/** Starts when all runs have sent their create call. */
async function watchOpen(
  simulator: Simulator,
  { runs, watchedMs }: { runs: number; watchedMs: number },
): Promise<Pick<WaitingFigures, 'open' | 'requestsPerSecond'>> {
  const { requests } = simulator;
  const created = (): number => requests.filter(({ method }) => method === 'POST').length;
  while (created() < runs) await delay(100);
  const open = simulator.snapshot().tasks.filter(({ endsAt }) => endsAt > Date.now()).length;
  const [from, count] = [Date.now(), requests.length];
  await delay(watchedMs);
  const seconds = (Date.now() - from) / 1000;
  return { open, requestsPerSecond: (requests.length - count) / seconds };
}

function kindOf({ method, path }: Simulator['requests'][number]): string {
  return `${method} ${path.replace(/[0-9a-f-]{36}/, ':id')}`;
}
