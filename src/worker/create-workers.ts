import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';

import {
  createApiActivities,
  createApiClient,
  createManifestReader,
  createPrepareActivities,
  createRequestBudget,
  createScanActivities,
  createTaskReads,
  createTaskWatcher,
  createWatchActivities,
  flattenGroups,
  type ApiClientOptions,
  type ManifestReader,
  type PrepareDeps,
} from '../activities/index.js';
import {
  apiTaskQueue,
  urgentTaskQueue,
  watchTaskQueue,
  WORKFLOW_TASK_QUEUE,
} from '../contract/names.js';
import { createCutShort } from './cut-short.js';
import { createEarlierRuns } from './earlier-runs.js';

/** One API key: its own request budget, its own task queue. */
export interface AccountOptions {
  name: string;
  api: Omit<ApiClientOptions, 'callContext' | 'budget'>;
  requestsPerSecond: number;
}

interface SharedOptions {
  connection: NativeConnection;
  namespace: string;
  prepare: PrepareDeps;
  /** Reads lists by reference; without it none are read. */
  manifests?: ManifestReader;
}

export interface WorkflowWorkerOptions extends SharedOptions {
  workflowBundle: NonNullable<WorkerOptions['workflowBundle']>;
  /** Another queue than `gcore-workflows`: tests that run side by side need their own. */
  workflowTaskQueue?: string;
}

export interface AccountWorkersOptions extends SharedOptions {
  /** False: this process does not watch, though the runs it starts ask for it. */
  watches?: boolean;
}

export interface WorkersOptions extends WorkflowWorkerOptions, AccountWorkersOptions {
  accounts: readonly AccountOptions[];
}

const SHUTDOWN = {
  // The default is 0: every deployment would cut calls short and leave their outcome unknown.
  shutdownGraceTime: '30 seconds',
  shutdownForceTime: '45 seconds',
} as const;

/** A cached run takes about 0.3 MiB. */
const MAX_CACHED_WORKFLOWS = 1_000;

/**
 * Decisions in hand at a time. One thread makes them, in 5 to 10 ms each, so the SDK's 40 are a queue
 * of up to half a second that every decision of an urgent run stands in; what waits at the server is
 * sorted by priority. More than one thread can be busy with, because some wait for the server's answer.
 */
const MAX_WORKFLOW_TASKS = 10;

/** Of the request budget: what activities may use. The rest is the watchers'. */
const QUEUE_SHARE = 0.9;

/**
 * One worker for decisions; for each account one for HTTP calls, one for those of urgent runs and
 * one for waiters. Different queues, because the rate limit belongs to the queue: it is the
 * account's request budget across all workers, kept by the Temporal server.
 */
export async function createWorkers(options: WorkersOptions): Promise<Worker[]> {
  const workflows = await createWorkflowWorker(options);
  const ofAccounts = await Promise.all(
    options.accounts.map((account) => createAccountWorkers(options, account)),
  );
  return [workflows, ...ofAccounts.flat()];
}

/** Makes the decisions of runs, on every account. */
export function createWorkflowWorker(options: WorkflowWorkerOptions): Promise<Worker> {
  const { connection, namespace, workflowBundle, prepare } = options;
  return Worker.create({
    connection,
    namespace,
    taskQueue: options.workflowTaskQueue ?? WORKFLOW_TASK_QUEUE,
    workflowBundle,
    activities: {
      ...createPrepareActivities({
        ...prepare,
        cutShortAt: createCutShort({ connection, namespace }),
        earlierRuns: createEarlierRuns({ connection, namespace }),
      }),
      ...createScanActivities({ manifests: manifestsOf(options) }),
    },
    maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
    maxConcurrentWorkflowTaskExecutions: MAX_WORKFLOW_TASKS,
    ...SHUTDOWN,
  });
}

/** Makes the calls of one account, and watches its tasks. */
export function createAccountWorkers(
  options: AccountWorkersOptions,
  account: AccountOptions,
): Promise<Worker[]> {
  const budgeted = withBudget(account);
  const watches = options.prepare.policy.watcher === true && options.watches !== false;
  return Promise.all([
    ...createCallWorkers(options, budgeted),
    ...(watches ? [createWatchWorker(options, budgeted)] : []),
  ]);
}

/** An account whose calls and watcher share one budget in this process. */
type BudgetedAccount = Omit<AccountOptions, 'api'> & { api: ApiClientOptions };

function withBudget(account: AccountOptions): BudgetedAccount {
  const budget = createRequestBudget({ perSecond: account.requestsPerSecond });
  return { ...account, api: { ...account.api, budget } };
}

function manifestsOf({ manifests = createManifestReader({}) }: SharedOptions): ManifestReader {
  return manifests;
}

/** HTTP calls, paced by the server for all workers together; the urgent ones in a lane of their own. */
function createCallWorkers(
  options: SharedOptions,
  { name, api, requestsPerSecond }: BudgetedAccount,
): Promise<Worker>[] {
  const { connection, namespace, prepare } = options;
  const manifests = manifestsOf(options);
  const { poll } = prepare.policy;
  const groups = createApiActivities({ api: createApiClient(api), poll, manifests });
  const activities = flattenGroups(groups);
  return [apiTaskQueue(name), urgentTaskQueue(name)].map((taskQueue) =>
    Worker.create({
      connection,
      namespace,
      taskQueue,
      activities,
      maxTaskQueueActivitiesPerSecond: requestsPerSecond * QUEUE_SHARE,
      ...SHUTDOWN,
    }),
  );
}

/** Waiters: they hold a slot for as long as a task takes, and cost nothing meanwhile. */
const MAX_WATCHED = 10_000;

function createWatchWorker(
  { connection, namespace, prepare }: SharedOptions,
  { name, api: options }: BudgetedAccount,
): Promise<Worker> {
  // The watcher's requests belong to no single activity, so none can cancel them.
  const cancelled = new AbortController().signal;
  const callContext = () => ({ cancelled, workflowId: undefined });
  const api = createApiClient({ ...options, callContext });
  const watcher = createTaskWatcher(createTaskReads({ api }), prepare.policy.poll);
  return Worker.create({
    connection,
    namespace,
    taskQueue: watchTaskQueue(name),
    activities: createWatchActivities({ watcher }),
    maxConcurrentActivityTaskExecutions: MAX_WATCHED,
    // Nothing is lost by cutting a waiter off: another worker takes it up.
    shutdownGraceTime: 0,
    shutdownForceTime: '15 seconds',
  });
}

/**
 * Runs the workers until a process signal or `signal` ends them all, each after it has drained.
 * Rejects when one of them fails, after the others have drained: half a worker would look alive
 * and do nothing.
 */
export async function runWorkers(workers: readonly Worker[], signal?: AbortSignal): Promise<void> {
  const stopAll = (): void => {
    for (const worker of workers) {
      if (worker.getState() === 'RUNNING') worker.shutdown();
    }
  };
  const runs = workers.map((worker) => worker.run().finally(stopAll));
  signal?.addEventListener('abort', stopAll);
  if (signal?.aborted === true) stopAll();
  const results = await Promise.allSettled(runs);
  for (const result of results) {
    if (result.status === 'rejected') throw result.reason;
  }
}
