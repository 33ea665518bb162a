import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { Client, WorkflowHandle } from '@temporalio/client';
import { Worker, type NativeConnection, type WorkflowBundleOption } from '@temporalio/worker';

import { createPrepareActivities } from '../../src/activities/index.js';
import { apiTaskQueue, watchTaskQueue } from '../../src/contract/wire/names.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { DEFAULT_RECONCILE_GRACE_MS, scalePollPolicy } from '../../src/engine/core/run-policy.js';
import { runWorkers } from '../../src/worker/create-workers.js';
import { provisionInput } from '../../test/support/inputs/provision-input.js';
import { typeOf } from '../measure-run.js';
import { processCpu, threadCpu, threadIds } from '../processes.js';
import { createInstantActivities } from './instant-activities.js';

/** The measured workflow, and the yardstick. */
const CONTENDERS = ['provisionInstance', 'plainProvision'] as const;
export type Contender = (typeof CONTENDERS)[number];
export type Bundles = Record<Contender, WorkflowBundleOption>;

/** How the runs wait: with a watching activity, or by a number of looks, each after a timer. */
export interface Shape {
  watcher: boolean;
  looks: number;
}

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

interface LiveOptions {
  client: Client;
  connection: NativeConnection;
  bundles: Bundles;
  shape: Shape;
  /** Pairs of batches that count. One more pair runs first as a warm-up. */
  pairs: number;
  runs: number;
}

/** Runs batches of both contenders in turns, in a process that does nothing else. */
export async function measureLive(options: LiveOptions): Promise<Batch[]> {
  const account = `cpu-${randomUUID().slice(0, 8)}`;
  const { all, of } = await createWorkers(options, account);
  const stop = new AbortController();
  const running = runWorkers(all, stop.signal);
  const batches: Batch[] = [];
  try {
    for (let pair = 0; pair <= options.pairs; pair++) {
      // Alternates the order, because the first batch may leave garbage for the second.
      const order = pair % 2 === 0 ? CONTENDERS : [...CONTENDERS].reverse();
      for (const contender of order) {
        const ended = options.runs * (pair + 1);
        batches.push(await runBatch(options, { ...of[contender], contender, account, ended }));
      }
    }
  } finally {
    stop.abort();
    await running;
  }
  return batches.slice(CONTENDERS.length);
}

/** A workflow worker, and the threads that it started. */
interface WorkflowWorker {
  worker: Worker;
  taskQueue: string;
  threads: string[];
}

/** A workflow worker for each contender, and workers for activities that both share. */
async function createWorkers(options: LiveOptions, account: string) {
  const { connection, shape } = options;
  const { calls, waits } = createInstantActivities(shape.looks);
  const shared = [
    await Worker.create({ connection, taskQueue: apiTaskQueue(account), activities: calls }),
    await Worker.create({ connection, taskQueue: watchTaskQueue(account), activities: waits }),
  ];
  const of: Record<Contender, WorkflowWorker> = {
    provisionInstance: await createWorkflowWorker(options, account, 'provisionInstance'),
    plainProvision: await createWorkflowWorker(options, account, 'plainProvision'),
  };
  return { of, all: [...shared, ...Object.values(of).map(({ worker }) => worker)] };
}

/** So fast that a timer takes only the time of the server. */
const SPEED = 1_000;

async function createWorkflowWorker(
  { connection, bundles, shape }: LiveOptions,
  account: string,
  contender: Contender,
): Promise<WorkflowWorker> {
  const taskQueue = `${account}-${contender}`;
  const before = threadIds();
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: bundles[contender],
    activities: createPrepareActivities({
      defaults: {},
      namespaceId: () => Promise.resolve('bench'),
      policy: {
        poll: scalePollPolicy(DEFAULT_POLL_POLICY, 1 / SPEED),
        reconcileGraceMs: DEFAULT_RECONCILE_GRACE_MS,
        searchAttributes: true,
        traceTasks: true,
        watcher: shape.watcher,
      },
    }),
  });
  return { worker, taskQueue, threads: threadIds().filter((id) => !before.includes(id)) };
}

/** All runs begin together after the last start, so that the cost of the client does not count. */
const DELAY_PER_START_MS = 30;
const MIN_DELAY_MS = 2_000;
const POLL_MS = 100;
const TIMEOUT_MS = 120_000;

interface BatchOptions extends WorkflowWorker {
  contender: Contender;
  account: string;
  /** Runs of the queue that have ended after this batch. */
  ended: number;
}

async function runBatch(
  { client, runs }: LiveOptions,
  { contender, account, taskQueue, threads, ended }: BatchOptions,
): Promise<Batch> {
  const startDelay = Math.max(MIN_DELAY_MS, runs * DELAY_PER_START_MS);
  const startedAt = Date.now();
  const starts = Array.from({ length: runs }, () =>
    client.workflow.start(contender, {
      workflowId: `${contender}-${randomUUID()}`,
      taskQueue,
      args: [{ ...provisionInput(), account }],
      startDelay,
    }),
  );
  const handles = await Promise.all(starts);
  const startedFor = Date.now() - startedAt;
  if (startedFor > startDelay) throw new Error('The starts took longer than their delay');
  const before = { process: processCpu(), thread: threadCpu(threads) };
  await untilEnded(client, taskQueue, ended);
  const processMs = processCpu() - before.process;
  const threadMs = threadCpu(threads) - before.thread;
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
