import { setTimeout as delay } from 'node:timers/promises';

import type { Simulator } from '../../src/simulator/index.js';
import { inBatches } from '../../test/support/timing/in-batches.js';
import { inBenchWorld, type BenchWorld } from '../bench-world.js';
import { cpuMsOf } from '../process-usage.js';
import type { BegunRun, OpenWay, Way } from './ways.js';

export interface WaitingPlan {
  runs: number;
  /** Shortest duration of a task; the longest is twice as long. */
  taskSeconds: number;
  /** The next run starts when no more than these have not sent their create call. */
  maxUnsent: number;
  /** How long requests are counted while the runs wait. */
  watchedMs: number;
  /** After this time, runs that have not ended count as later than all others. */
  limitMs: number;
}

export interface WayFigures {
  requestsPerRun: number;
  /** While nearly all runs wait. */
  requestsPerSecond: number;
  /** Mean of some runs; NaN without Temporal. */
  events: number;
  /** Seconds from the end of each task until its run knew of it; Infinity when it never did. */
  noticed: number[];
  /** Of the process that waits. */
  cpuMsPerRun: number;
}

const STARTS_IN_PARALLEL = 200;
/** Each open result is a call that stays open. */
const RESULTS_IN_PARALLEL = 500;
const SAMPLE = 50;
/** A server that is busy may lose a call on its way to a worker. */
const NEARLY_ALL = 0.95;
/** The simulated create takes 15 to 30 s. */
const SHORTEST_CREATE_SECONDS = 15;
/** For the answer about a run that has ended before the limit. */
const LAST_ANSWER_MS = 3_000;

/** Measures in a world of its own. */
export function measureWay(way: Way, plan: WaitingPlan): Promise<WayFigures> {
  const timeScale = plan.taskSeconds / SHORTEST_CREATE_SECONDS;
  return inBenchWorld({ timeScale }, async (world) => {
    const open = await way.open(world);
    try {
      return await measure(world, open, plan);
    } finally {
      await open.close?.();
    }
  });
}

async function measure(
  { simulator, whileOpen }: BenchWorld,
  open: OpenWay,
  plan: WaitingPlan,
): Promise<WayFigures> {
  const deadline = Date.now() + plan.limitMs;
  const cpuBefore = cpuMsOf(open.pid);
  const created = createdBy(simulator);
  const indexes = [...Array(plan.runs).keys()];
  const watched = watchRequests(simulator, { ...plan, created, deadline });
  const begun = await inBatches(indexes, STARTS_IN_PARALLEL, async (index) => {
    while (index - created() > plan.maxUnsent && Date.now() < deadline) await delay(100);
    return Date.now() < deadline ? open.begin(index) : undefined;
  });
  const runs = begun.filter((run) => run !== undefined);
  const noticed = await noticedBy(runs, { simulator, whileOpen, deadline });
  const unbegun = Array.from({ length: plan.runs - runs.length }, () => Infinity);
  return {
    requestsPerRun: simulator.requests.length / Math.max(created(), 1),
    requestsPerSecond: await watched,
    events: await meanEvents(runs),
    noticed: [...noticed, ...unbegun],
    cpuMsPerRun: (cpuMsOf(open.pid) - cpuBefore) / Math.max(created(), 1),
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

interface Watching {
  runs: number;
  created: () => number;
  watchedMs: number;
  deadline: number;
}

/** Requests a second from the moment that nearly all tasks exist and the first is read. */
async function watchRequests(
  { requests }: Simulator,
  { runs, created, watchedMs, deadline }: Watching,
): Promise<number> {
  const isLate = (): boolean => Date.now() > deadline;
  while (created() < runs * NEARLY_ALL && !isLate()) await delay(100);
  const before = requests.length;
  while (
    !requests.slice(before).some(({ path }) => path.startsWith('/cloud/v1/tasks')) &&
    !isLate()
  )
    await delay(100);
  const [from, count] = [Date.now(), requests.length];
  await delay(watchedMs);
  return ((requests.length - count) * 1_000) / (Date.now() - from);
}

async function noticedBy(
  runs: readonly BegunRun[],
  {
    simulator,
    whileOpen,
    deadline,
  }: Pick<BenchWorld, 'simulator' | 'whileOpen'> & { deadline: number },
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
  return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}
