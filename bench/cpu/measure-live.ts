import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { Client, WorkflowHandle } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';

import { runWorkers } from '../../src/worker/create-workers.js';
import { provisionInput } from '../../test/support/inputs/provision-input.js';
import { typeOf } from '../measure-run.js';
import {
  CONTENDERS,
  createCpuWorkers,
  type Bundles,
  type Contender,
  type CpuWorkers,
  type Shape,
} from './cpu-workers.js';
import { processCpu, threadCpu } from './thread-cpu.js';

/** CPU of all runs of one batch. */
export interface Batch {
  contender: Contender;
  workflowTasks: number;
  processMs: number;
  /** Only the threads of its workflows: the sandbox and the SDK's state machines. */
  threadMs: number;
  /** History of the last run. */
  history: Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
}

export interface LiveOptions {
  client: Client;
  connection: NativeConnection;
  bundles: Bundles;
  shape: Shape;
  /** Pairs of batches that count. One more pair runs first as a warm-up. */
  rounds: number;
  runs: number;
}

/** Runs batches of both contenders in turns, in a process that does nothing else. */
export async function measureLive(options: LiveOptions): Promise<Batch[]> {
  const name = `cpu-${randomUUID().slice(0, 8)}`;
  const workers = await createCpuWorkers({ ...options, name });
  const stop = new AbortController();
  const running = runWorkers(workers.all, stop.signal);
  const batches: Batch[] = [];
  try {
    for (let round = 0; round <= options.rounds; round++) {
      // Alternates the order, because the first batch may leave garbage for the second.
      const order = round % 2 === 0 ? CONTENDERS : [...CONTENDERS].reverse();
      for (const contender of order) {
        batches.push(await runBatch(options, workers, { contender, round }));
      }
    }
  } finally {
    stop.abort();
    await running;
  }
  return batches.slice(CONTENDERS.length);
}

/** All runs begin together after the last start, so that the cost of the client does not count. */
const DELAY_PER_START_MS = 30;
const MIN_DELAY_MS = 2_000;
const POLL_MS = 100;
const TIMEOUT_MS = 120_000;

async function runBatch(
  { client, runs }: LiveOptions,
  { account, taskQueues, threads }: CpuWorkers,
  { contender, round }: { contender: Contender; round: number },
): Promise<Batch> {
  const taskQueue = taskQueues[contender];
  const startDelay = Math.max(MIN_DELAY_MS, runs * DELAY_PER_START_MS);
  const startedAt = Date.now();
  const handles = await Promise.all(
    Array.from({ length: runs }, () =>
      client.workflow.start(contender, {
        workflowId: `${contender}-${randomUUID()}`,
        taskQueue,
        args: [{ ...provisionInput(), account }],
        startDelay,
      }),
    ),
  );
  const startedFor = Date.now() - startedAt;
  if (startedFor > startDelay) throw new Error('The starts took longer than their delay');
  const before = { process: processCpu(), thread: threadCpu(threads[contender]) };
  await untilEnded(client, taskQueue, runs * (round + 1));
  const processMs = processCpu() - before.process;
  const threadMs = threadCpu(threads[contender]) - before.thread;
  return { contender, processMs, threadMs, ...(await readHistories(handles)) };
}

async function untilEnded(client: Client, taskQueue: string, runs: number): Promise<void> {
  const ended = `TaskQueue = "${taskQueue}" AND ExecutionStatus != "Running"`;
  const until = Date.now() + TIMEOUT_MS;
  while ((await client.workflow.count(ended)).count < runs) {
    if (Date.now() > until) throw new Error('The runs do not end: is a workflow task failing?');
    await delay(POLL_MS);
  }
}

async function readHistories(
  handles: readonly WorkflowHandle[],
): Promise<Pick<Batch, 'workflowTasks' | 'history'>> {
  let workflowTasks = 0;
  let history: Batch['history'] = {};
  for (const handle of handles) {
    history = await handle.fetchHistory();
    const types = (history.events ?? []).map(typeOf);
    if (types.at(-1) !== 'WORKFLOW_EXECUTION_COMPLETED')
      throw new Error(`A run ended with ${types.at(-1)}`);
    workflowTasks += types.filter((type) => type === 'WORKFLOW_TASK_COMPLETED').length;
  }
  return { workflowTasks, history };
}
