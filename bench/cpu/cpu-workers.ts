import { Worker, type NativeConnection, type WorkflowBundleOption } from '@temporalio/worker';

import { createPrepareActivities } from '../../src/activities/index.js';
import { apiTaskQueue, watchTaskQueue } from '../../src/contract/wire/names.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { DEFAULT_RECONCILE_GRACE_MS, scalePollPolicy } from '../../src/engine/core/run-policy.js';
import { createInstantActivities } from './instant-activities.js';
import { threadIds } from './thread-cpu.js';

/** The measured workflow, or the yardstick. */
export const CONTENDERS = ['provisionInstance', 'plainProvision'] as const;
export type Contender = (typeof CONTENDERS)[number];
export type Bundles = Record<Contender, WorkflowBundleOption>;

/** How the runs wait: with a watching activity, or by a number of looks, each after a timer. */
export interface Shape {
  watcher: boolean;
  looks: number;
}

export interface CpuWorkers {
  taskQueues: Record<Contender, string>;
  /** The threads that the workflow worker of each contender started. */
  threads: Record<Contender, string[]>;
  account: string;
  all: Worker[];
}

/** So fast that a timer takes only the time of the server. */
const SPEED = 1_000;

export interface CpuWorkersOptions {
  connection: NativeConnection;
  bundles: Bundles;
  shape: Shape;
  /** Prefix of the queues and the account. */
  name: string;
}

/** A workflow worker for each contender, and workers for activities that both share. */
export async function createCpuWorkers(options: CpuWorkersOptions): Promise<CpuWorkers> {
  const { connection, shape, name } = options;
  const { calls, waits } = createInstantActivities(shape.looks);
  const account = name;
  const shared = [
    await Worker.create({ connection, taskQueue: apiTaskQueue(account), activities: calls }),
    await Worker.create({ connection, taskQueue: watchTaskQueue(account), activities: waits }),
  ];
  const [ours, plain] = [
    await createWorkflowWorker(options, 'provisionInstance'),
    await createWorkflowWorker(options, 'plainProvision'),
  ];
  return {
    account,
    taskQueues: { provisionInstance: ours.taskQueue, plainProvision: plain.taskQueue },
    threads: { provisionInstance: ours.threads, plainProvision: plain.threads },
    all: [...shared, ours.worker, plain.worker],
  };
}

async function createWorkflowWorker(
  { connection, bundles, shape, name }: CpuWorkersOptions,
  contender: Contender,
): Promise<{ worker: Worker; taskQueue: string; threads: string[] }> {
  const taskQueue = `${name}-${contender}`;
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
  const threads = threadIds().filter((id) => !before.includes(id));
  return { worker, taskQueue, threads };
}
