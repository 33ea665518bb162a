import { setTimeout as delay } from 'node:timers/promises';

import type { Simulator } from '../../src/simulator/index.js';
import { inBatches } from '../../test/support/timing/in-batches.js';
import { sumOf } from '../statistics.js';
import type { BegunRun, Noticed } from './ways.js';

export interface ManyRunsPlan {
  runs: number;
  /** The next run starts when no more than these have not sent their create call. */
  maxUnsent: number;
  /** How long requests are counted while the runs wait. */
  watchedMs: number;
  /** After this time, a run that does not know of the end of its task counts as later than all others. */
  limitMs: number;
  /** What is read at the begin and the end of that time, besides the requests. */
  meters?: Meters;
}

type Meters = Readonly<Record<string, () => number>>;

export interface ManyRunsFigures {
  /** Create calls. The other runs have not begun within the limit, and are neither late nor in time. */
  created: number;
  requestsPerRun: number;
  /** By how much each meter, and `requests`, grows in a second while nearly all runs wait. */
  perSecond: Readonly<Record<string, number>>;
  /** By how much each grows after that until the last run has ended, for each task that ends in this time. */
  perEnd: Readonly<Record<string, number>>;
  /** Mean of some runs; NaN without Temporal. */
  events: number;
  /** Of the tasks that ended within the limit: seconds until its run knew of it; Infinity when it never did. */
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
  const indexes = [...Array(plan.runs).keys()];
  const begun = await inBatches(indexes, STARTS_IN_PARALLEL, async (index) => {
    while (index - created() > plan.maxUnsent && Date.now() < deadline) await delay(100);
    return Date.now() < deadline ? begin(index) : undefined;
  });
  const reading = readMeters(simulator, plan, deadline);
  const runs = begun.filter((run) => run !== undefined);
  const noticed = await noticedBy(runs, cloud, deadline);
  const all = created();
  const { perSecond, sinceThen } = await reading;
  return {
    created: all,
    perSecond,
    perEnd: sinceThen(),
    requestsPerRun: simulator.requests.length / Math.max(all, 1),
    events: await meanEvents(runs),
    noticed,
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

/** Reads them from the moment that nearly all tasks exist and the first is read: nobody looks at one in its first 15 s. */
async function readMeters(
  simulator: Simulator,
  { runs, watchedMs, meters = {} }: ManyRunsPlan,
  deadline: number,
): Promise<Readings> {
  const { requests } = simulator;
  const created = createdBy(simulator);
  const isLate = (): boolean => Date.now() > deadline;
  while (created() < runs * NEARLY_ALL && !isLate()) await delay(100);
  const before = requests.length;
  const isRead = () => requests.slice(before).some(({ path }) => path.startsWith(TASKS));
  while (!isRead() && !isLate()) await delay(100);
  const all = { ...meters, requests: () => requests.length };
  const from = Date.now();
  const growth = growthOf(all);
  await delay(watchedMs);
  const to = Date.now();
  const growthAfter = growthOf(all);
  return {
    perSecond: growth((to - from) / 1_000),
    sinceThen() {
      const now = Date.now();
      const tasks = simulator.snapshot().tasks;
      return growthAfter(tasks.filter(({ endsAt }) => endsAt > to && endsAt <= now).length);
    },
  };
}

interface Readings {
  perSecond: Record<string, number>;
  sinceThen: () => Record<string, number>;
}

/** By how much each has grown from now on, divided by a number. */
function growthOf(meters: Meters): (divisor: number) => Record<string, number> {
  const first = new Map(Object.entries(meters).map(([name, read]) => [name, read()]));
  return (divisor) =>
    Object.fromEntries(
      Object.entries(meters).map(([name, read]) => [
        name,
        (read() - (first.get(name) ?? 0)) / divisor,
      ]),
    );
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
  const tasks = simulator.snapshot().tasks.filter(({ endsAt }) => endsAt <= deadline);
  return latenessOf(
    tasks,
    ends.filter((end) => end !== undefined),
  );
}

/** How late each end was noticed, in seconds. An end that nobody has noticed is later than all others. */
export function latenessOf(
  ended: readonly { id: string; endsAt: number }[],
  noticed: readonly Noticed[],
): number[] {
  const noticedAt = new Map(noticed.map(({ taskId, at }) => [taskId, at]));
  return ended.map(({ id, endsAt }) => ((noticedAt.get(id) ?? Infinity) - endsAt) / 1_000);
}

async function meanEvents(runs: readonly BegunRun[]): Promise<number> {
  const every = Math.max(1, Math.floor(runs.length / SAMPLE));
  const sample = runs.filter((_, index) => index % every === 0);
  const lengths = await inBatches(sample, SAMPLE, async ({ handle }) =>
    handle === undefined ? Number.NaN : (await handle.describe()).historyLength,
  );
  return sumOf(lengths) / lengths.length;
}
