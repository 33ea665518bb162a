import { randomUUID } from 'node:crypto';

import { Connection, type Client } from '@temporalio/client';
import { z } from 'zod';

import { SearchAttribute, WORKFLOW_TASK_QUEUE } from '../../src/contract/wire/names.js';
import { provisionInput } from '../../test/support/inputs/provision-input.js';
import { defineBench, number } from '../bench.js';
import type { FigureRow } from '../document/figure.js';
import { cpuMsOf } from '../processes.js';
import { percentile } from '../statistics.js';
import { inBenchWorld, killed, ready, type BenchWorld } from '../worlds.js';

/** So fast that the work is what limits, and not the wait. */
const SPEED = 50;
/** Nothing waits for its turn. */
const REQUESTS_PER_SECOND = 100_000;
const FAST_POLL_MS = 50;

interface Workload {
  workload: string;
  isOurs: boolean;
  workflow: string;
  input: (taskQueue: string) => object;
}

const WORKLOADS: readonly Workload[] = [
  {
    workload: 'one activity',
    isOurs: false,
    workflow: 'singleCall',
    input: (taskQueue) => ({ taskQueue }),
  },
  { workload: 'listSshKeys', isOurs: true, workflow: 'listSshKeys', input: () => ({}) },
  {
    workload: 'create in a timer loop',
    isOurs: false,
    workflow: 'naiveProvision',
    input: (taskQueue) => ({ taskQueue, body: provisionInput().instance, pollMs: FAST_POLL_MS }),
  },
  {
    workload: 'provisionInstance',
    isOurs: true,
    workflow: 'provisionInstance',
    input: () => provisionInput(),
  },
];

const settings = z.strictObject({
  runs: number(1_000),
  /** Open at a time: as soon as one ends, the next begins. */
  atOnce: number(64),
  /** Run before them, and not counted. */
  warmUp: number(100),
});

export const throughput = defineBench({
  id: 'throughput',
  title: 'Runs a second',
  summary: 'runs a second of one worker, beside workflows without safeguards on the same server',
  minutes: 3,
  columns: [
    { key: 'server', title: 'Temporal server' },
    { key: 'workload', title: 'runs' },
    { key: 'perSecond', title: 'runs a second' },
    { key: 'p50', title: 'start to result p50', unit: 'ms' },
    { key: 'p95', title: 'start to result p95', unit: 'ms' },
    { key: 'events', title: 'events per run' },
    { key: 'cpu', title: 'CPU of the worker per run', unit: 'ms' },
  ],
  page: {
    about: `64 runs are open at a time; as soon as one ends, the next begins. 1,000 runs of each kind, one worker process, the simulated
cloud 50 times as fast as in reality, server, worker, client and simulator on the same cores. *One activity* and *create in a timer loop* are workflows as in
Temporal's samples, without any of this product's safeguards, on the same server. Another server: \`TEMPORAL_ADDRESS=… npm run bench -- all --only throughput
--server-label NAME\`, which must have no other worker of this product.`,
    chart: { kind: 'bar', x: 'workload', series: 'server', panels: [['perSecond'], ['p95']] },
  },
  settings,
  parts: 'per server',
  quick: { runs: 6, atOnce: 3, warmUp: 2 },
  async measure(plan, server) {
    const address = process.env['TEMPORAL_ADDRESS'];
    if (address !== undefined) await addMissingSearchAttributes(address);
    return inBenchWorld({ address, timeScale: 1 / SPEED, exactTimers: true }, async (world) => {
      const rows: FigureRow[] = [];
      for (const workload of WORKLOADS) {
        rows.push({ server, ...(await measureWorkload(world, workload, plan)) });
      }
      return { rows };
    });
  },
});

/** One workload alone, with one worker process. */
async function measureWorkload(
  { client, spawnOurs, spawnNaive }: BenchWorld,
  { workload, isOurs, workflow, input }: Workload,
  plan: z.output<typeof settings>,
): Promise<FigureRow> {
  const taskQueue = isOurs ? WORKFLOW_TASK_QUEUE : `naive-${randomUUID()}`;
  const budget = { speed: SPEED, requestsPerSecond: REQUESTS_PER_SECOND };
  const worker = await ready(isOurs ? spawnOurs(budget) : spawnNaive(taskQueue));
  const loop = { ...plan, workflow, taskQueue, input: () => input(taskQueue) };
  await closedLoop(client, { ...loop, runs: plan.warmUp });
  const [cpuBefore, startedAt] = [cpuMsOf(worker.child.pid), performance.now()];
  const { times, lastId } = await closedLoop(client, loop);
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpu = (cpuMsOf(worker.child.pid) - cpuBefore) / plan.runs;
  await killed(worker);
  const { historyLength: events } = await client.workflow.getHandle(lastId).describe();
  const [p50, p95] = [percentile(times, 50), percentile(times, 95)];
  return { workload, perSecond: plan.runs / seconds, p50, p95, events, cpu };
}

interface Loop {
  runs: number;
  atOnce: number;
  workflow: string;
  taskQueue: string;
  input: () => object;
}

/** @returns milliseconds from the start of each run until its result, and the Workflow Id of one of the last */
export async function closedLoop(
  client: Client,
  { runs, atOnce, workflow, taskQueue, input }: Loop,
): Promise<{ times: number[]; lastId: string }> {
  const times: number[] = [];
  let [begun, lastId] = [0, ''];
  const lane = async (): Promise<void> => {
    while (begun < runs) {
      begun += 1;
      const workflowId = `${workflow}-${randomUUID()}`;
      const startedAt = performance.now();
      await client.workflow.execute(workflow, { workflowId, taskQueue, args: [input()] });
      times.push(performance.now() - startedAt);
      lastId = workflowId;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, runs) }, lane));
  return { times, lastId };
}

/** The types by their code in the server's API. */
const TYPES = {
  [SearchAttribute.phase]: 2,
  [SearchAttribute.account]: 2,
  [SearchAttribute.resourceId]: 7,
} as const;

/** Adds the search attributes that a given server lacks. */
async function addMissingSearchAttributes(address: string): Promise<void> {
  const connection = await Connection.connect({ address });
  const { operatorService } = connection;
  const namespace = 'default';
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(TYPES).filter(([name]) => !(name in customAttributes));
  if (missing.length > 0) {
    const searchAttributes = Object.fromEntries(missing);
    await operatorService.addSearchAttributes({ namespace, searchAttributes });
  }
  await connection.close();
}
