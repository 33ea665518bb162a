import { setTimeout as delay } from 'node:timers/promises';

import type { Simulator } from '../../src/simulator/index.js';
import { inBatches } from '../../test/support/timing/in-batches.js';
import { sumOf } from '../statistics.js';
import type { BegunRun } from './ways.js';

export interface ManyRunsPlan {
  runs: number;
  /** The next run starts when no more than these have not sent their create call. */
  maxUnsent: number;
  /** How long requests are counted while the runs wait. */
  watchedMs: number;
  /** After this time, runs that have not ended count as later than all others. */
  limitMs: number;
}

export interface ManyRunsFigures {
  /** Create calls, at least one. */
  created: number;
  requestsPerRun: number;
  /** While nearly all runs wait. */
  requestsPerSecond: number;
  /** Mean of some runs; NaN without Temporal. */
  events: number;
  /** Seconds from the end of each task until its run knew of it; Infinity when it never did. */
  noticed: number[];
}

/** The cloud, and how to wait for a result that may never come. */
interface Cloud {
  simulator: Simulator;
  whileOpen?: <T>(work: () => Promise<T>) => Promise<T>;
}

const STARTS_IN_PARALLEL = 200;
/** Each open result is a call that stays open. */
const RESULTS_IN_PARALLEL = 500;
const SAMPLE = 50;
/** A server that is busy may lose a call on its way to a worker. Its run sends it again after the grace time. */
const NEARLY_ALL = 0.95;
/** For the answer about a run that has ended before the limit. */
const LAST_ANSWER_MS = 3_000;
const TASKS = '/cloud/v1/tasks';

/** Starts the runs, counts requests while they wait for their create task, then waits for their ends. */
export async function measureManyRuns(
  cloud: Cloud,
  begin: (index: number) => Promise<BegunRun>,
  plan: ManyRunsPlan,
): Promise<ManyRunsFigures> {
  const { simulator } = cloud;
  const deadline = Date.now() + plan.limitMs;
  const created = createdBy(simulator);
  const watched = watchRequests(simulator, plan, deadline);
  const indexes = [...Array(plan.runs).keys()];
  const begun = await inBatches(indexes, STARTS_IN_PARALLEL, async (index) => {
    while (index - created() > plan.maxUnsent && Date.now() < deadline) await delay(100);
    return Date.now() < deadline ? begin(index) : undefined;
  });
  const runs = begun.filter((run) => run !== undefined);
  const noticed = await noticedBy(runs, cloud, deadline);
  const unbegun = Array.from({ length: plan.runs - runs.length }, () => Infinity);
  const all = Math.max(created(), 1);
  return {
    created: all,
    requestsPerSecond: await watched,
    requestsPerRun: simulator.requests.length / all,
    events: await meanEvents(runs),
    noticed: [...noticed, ...unbegun],
  };
}

/** Counts the create calls so far. Reads each request once. */
function createdBy({ requests }: Simulator): () => number {
  let [read, created] = [0, 0];
  return () => {
    for (; read < requests.length; read++) if (requests[read]?.method === 'POST') created++;
    return created;
  };
}

/** Requests a second from the moment that nearly all tasks exist and the first is read: nobody looks at one in its first 15 s. */
async function watchRequests(
  simulator: Simulator,
  { runs, watchedMs }: ManyRunsPlan,
  deadline: number,
): Promise<number> {
  const { requests } = simulator;
  const created = createdBy(simulator);
  const isLate = (): boolean => Date.now() > deadline;
  while (created() < runs * NEARLY_ALL && !isLate()) await delay(100);
  const before = requests.length;
  const isRead = () => requests.slice(before).some(({ path }) => path.startsWith(TASKS));
  while (!isRead() && !isLate()) await delay(100);
  const [from, count] = [Date.now(), requests.length];
  await delay(watchedMs);
  return (requests.length - count) / ((Date.now() - from) / 1_000);
}

async function noticedBy(
  runs: readonly BegunRun[],
  { simulator, whileOpen = (work) => work() }: Cloud,
  deadline: number,
): Promise<number[]> {
  const ends = await inBatches(runs, RESULTS_IN_PARALLEL, (run) =>
    Promise.race([
      whileOpen(() => run.noticed()),
      delay(Math.max(deadline - Date.now(), LAST_ANSWER_MS), undefined, { ref: false }),
    ]),
  );
  const endsAt = new Map(simulator.snapshot().tasks.map((task) => [task.id, task.endsAt]));
  return ends.map((end) =>
    end === undefined ? Infinity : (end.at - (endsAt.get(end.taskId) ?? Number.NaN)) / 1_000,
  );
}

async function meanEvents(runs: readonly BegunRun[]): Promise<number> {
  const every = Math.max(1, Math.floor(runs.length / SAMPLE));
  const sample = runs.filter((_, index) => index % every === 0);
  const lengths = await inBatches(sample, SAMPLE, async ({ handle }) =>
    handle === undefined ? Number.NaN : (await handle.describe()).historyLength,
  );
  return sumOf(lengths) / lengths.length;
}
