import { randomUUID } from 'node:crypto';

import { WORKFLOW_TASK_QUEUE } from '../../src/contract/wire/names.js';
import { Connection } from '@temporalio/client';
import { provisionInput } from '../../test/support/inputs/provision-input.js';
import { inBenchWorld, type BenchWorld } from '../bench-world.js';
import { percentile } from '../percentile.js';
import { addMissingSearchAttributes } from './add-search-attributes.js';
import { closedLoop } from './closed-loop.js';
import { cpuMsOf } from '../process-usage.js';

export interface ThroughputPlan {
  /** Address of the Temporal server; a development server is started when it is left out. */
  address: string | undefined;
  runs: number;
  /** Open at a time: as soon as one ends, the next begins. */
  atOnce: number;
  /** Run before them, and not counted. */
  warmUp: number;
}

export interface ThroughputFigures {
  workload: string;
  perSecond: number;
  /** Milliseconds from the start of a run until its result. */
  p50: number;
  p95: number;
  eventsPerRun: number;
  /** Of the worker process. */
  cpuMsPerRun: number;
}

interface Workload {
  name: string;
  isOurs: boolean;
  workflow: string;
  input: (taskQueue: string) => object;
}

const FAST_POLL_MS = 50;

const WORKLOADS: readonly Workload[] = [
  {
    name: 'one activity',
    isOurs: false,
    workflow: 'singleCall',
    input: (taskQueue) => ({ taskQueue }),
  },
  { name: 'listSshKeys', isOurs: true, workflow: 'listSshKeys', input: () => ({}) },
  {
    name: 'create in a timer loop',
    isOurs: false,
    workflow: 'naiveProvision',
    input: (taskQueue) => ({ taskQueue, body: provisionInput().instance, pollMs: FAST_POLL_MS }),
  },
  {
    name: 'provisionInstance',
    isOurs: true,
    workflow: 'provisionInstance',
    input: () => provisionInput(),
  },
];

/** So fast that the work is what limits, and not the wait. */
const SPEED = 50;
/** Nothing waits for its turn. */
const REQUESTS_PER_SECOND = 100_000;

/** Runs each workload alone on one server, with one worker process. */
export async function measureThroughput(plan: ThroughputPlan): Promise<ThroughputFigures[]> {
  const { address } = plan;
  if (address !== undefined) await prepareServer(address);
  return inBenchWorld({ address, timeScale: 1 / SPEED, exactTimers: true }, async (world) => {
    const figures: ThroughputFigures[] = [];
    for (const workload of WORKLOADS) figures.push(await measureWorkload(world, workload, plan));
    return figures;
  });
}

async function prepareServer(address: string): Promise<void> {
  const connection = await Connection.connect({ address });
  await addMissingSearchAttributes(connection, 'default');
  await connection.close();
}

async function measureWorkload(
  world: BenchWorld,
  workload: Workload,
  plan: ThroughputPlan,
): Promise<ThroughputFigures> {
  const taskQueue = workload.isOurs ? WORKFLOW_TASK_QUEUE : `naive-${randomUUID()}`;
  const { child, exit } = await (workload.isOurs
    ? world.startOurs({ speed: SPEED, requestsPerSecond: REQUESTS_PER_SECOND })
    : world.startNaive(taskQueue));
  const { workflow } = workload;
  const loop = { ...plan, workflow, taskQueue, input: () => workload.input(taskQueue) };
  await closedLoop(world.client, { ...loop, runs: plan.warmUp });
  const [cpuBefore, startedAt] = [cpuMsOf(child.pid), performance.now()];
  const { times, lastId } = await closedLoop(world.client, loop);
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpuMsPerRun = (cpuMsOf(child.pid) - cpuBefore) / plan.runs;
  child.kill('SIGKILL');
  await exit;
  const { historyLength } = await world.client.workflow.getHandle(lastId).describe();
  return {
    workload: workload.name,
    perSecond: plan.runs / seconds,
    p50: percentile(times, 50),
    p95: percentile(times, 95),
    eventsPerRun: historyLength,
    cpuMsPerRun,
  };
}
