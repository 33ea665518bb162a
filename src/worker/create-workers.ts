import { getClient } from '@temporalio/activity';
import { Runtime, Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';

import {
  createApiActivities,
  createApiClient,
  createBatchActivities,
  createFreezeWatch,
  createManifestReader,
  createRequestBudget,
  createScanActivities,
  toApiKeys,
  type ApiClientOptions,
  type BudgetPressure,
  type DeliveryOutcome,
  type FreezeWatch,
  type ManifestReader,
  type ManifestReaderOptions,
  type PrepareSettings,
  type Pressure,
  type SecretSource,
} from '../activities/index.js';
import { createWatchLeaseActivities } from '../engine/activities/hold-watches.js';
import { registeredActivities } from '../engine/activities/registered-activities.js';
import { createCodec, type Codec } from '../codec/codec.js';
import { toDataConverter } from '../codec/data-converter.js';
import { DEFAULT_CACHED_RUNS } from '../config.js';
import { apiTaskQueue, urgentTaskQueue, WORKFLOW_TASK_QUEUE } from '../contract/wire/names.js';
import { ACTIVATION_LIMIT } from './activation-limit.js';
import { createBatchRuns } from './batch/create-batch-runs.js';
import { shareProofs } from './batch/share-proofs.js';
import { createAll } from './create-all.js';
import { createRepeatWatches } from './repeat-watches.js';
import { createWatchWorker, type WatchEvents } from './create-watch-worker.js';
import { createWebhookWorker } from './create-webhook-worker.js';
import type { Runnable } from './runnable.js';
import { createIdentity } from './identity.js';
import { createPeers, listPollers, type Peers } from './peers.js';
import { prepareActivities } from './prepare-activities.js';
import type { NexusStarts } from './nexus/operation-handler.js';
import { createNexusService } from './nexus/create-nexus-service.js';
import { createProveCurrent } from './prove-current.js';
import { createSecretsOfRun } from './secrets-of-run.js';
import { SHUTDOWN } from './shutdown.js';
import { createSupervisedWorkers } from './supervised-workers.js';
import { superviseAccount } from './supervise-account.js';
import { tracedOptions, type WorkerTracing } from './tracing.js';
import { createUploadSource } from './upload-source.js';
import type { WatchLeaseOptions } from './lease-calls.js';
import { createWatchLease, type WatchLease } from './watch-lease.js';
import { versionOptions, type WorkerVersion } from './worker-version.js';

export { runWorkers } from './run-workers.js';

/** One API key, with its own request budget and its own task queues. */
export interface AccountOptions {
  name: string;
  api: Omit<ApiClientOptions, 'callContext' | 'budget' | 'freezes' | 'proveCurrent'>;
  requestsPerSecond: number;
  /** Called when the API allows much less or much more than before. */
  onPace?: (pressure: Pressure) => void;
  /** Where the secrets are that inputs name; without it there are none. */
  secrets?: SecretSource;
  /** Hears when the tasks of the account cannot be watched. */
  watch?: WatchEvents;
  /** Gets a look at the request budget of the account. */
  onBudget?: (pressure: () => BudgetPressure) => void;
  /** Told of each try to deliver a webhook. */
  onDelivery?: (outcome: DeliveryOutcome) => void;
}

interface SharedOptions {
  connection: NativeConnection;
  namespace: string;
  prepare: PrepareSettings;
  /** Encrypts payloads; without it they stay in clear. Needs the bundle of its kind. */
  codec?: Codec;
  /** Where lists may be read from, besides those that were uploaded. */
  manifests?: Pick<ManifestReaderOptions, 'root' | 'hosts'>;
  /** Without it nothing is traced. */
  tracing?: WorkerTracing | undefined;
}

export interface WorkflowWorkerOptions extends SharedOptions {
  workflowBundle: NonNullable<WorkerOptions['workflowBundle']>;
  /** Default `gcore-workflows`; tests that run side by side need their own. */
  workflowTaskQueue?: string;
  /** Runs that stay in memory between their workflow tasks. */
  cachedRuns?: number;
  /** Without it the worker is not versioned. */
  version?: WorkerVersion;
  /** False: the server has no Nexus. */
  nexus?: boolean;
}

/** What a process has once for all of its accounts: it watches, and stands still, as a whole. */
interface ProcessParts {
  lease: WatchLease;
  freezes: FreezeWatch;
}

export function createProcessParts(options: WatchLeaseOptions): ProcessParts {
  return { lease: createWatchLease(options), freezes: createFreezeWatch() };
}

export interface AccountWorkersOptions extends SharedOptions, ProcessParts {
  /** False: this process does not watch, even if the run policy asks for it. */
  watches?: boolean;
}

export interface WorkersOptions
  extends WorkflowWorkerOptions, Omit<AccountWorkersOptions, keyof ProcessParts> {
  accounts: readonly AccountOptions[];
}

/**
 * Workflow tasks at a time. One thread runs them, in 5 to 10 ms each: the SDK's default of 40 is a
 * queue of up to half a second, in which every workflow task of an urgent run waits. The queue of the
 * server is sorted by priority. 10 is more than one thread needs, because some wait for the server.
 */
const MAX_WORKFLOW_TASKS = 10;

/** Each batch that goes on has one, which mostly waits: with the SDK's default of 100 the others would have no place. */
const MAX_ACTIVITIES = 1_000;

/**
 * The server divides the rate of a queue among its partitions, so with less a single call may wait there for minutes.
 * Then the budgets of the processes keep the rate alone.
 */
const SLOWEST_QUEUE = 0.9;
/** A call that waits learns within this time that it was cancelled. */
const HEARTBEAT_EVERY = '5 seconds';

/** The share of the request budget for activities. The watchers use the rest. */
const QUEUE_SHARE = 0.9;

/**
 * One worker for workflow tasks; for each account one for HTTP calls, one for those of urgent runs, one for webhooks
 * where they are configured and, in two of its processes, one for waiting activities. The queues differ because a rate
 * limit belongs to a queue: the Temporal server keeps the account's request budget across all workers.
 */
export async function createWorkers(options: WorkersOptions): Promise<Runnable[]> {
  const workflows = await createWorkflowWorker(options);
  const process = createProcessParts(options);
  const accounts: Runnable[] = await Promise.all(
    options.accounts.map(async (account) => {
      const create = () => createAccountWorkers({ ...options, ...process }, account);
      const first = create();
      // One account must not keep the others from starting.
      await first.catch(() => undefined);
      return createSupervisedWorkers({
        title: `workers of the account ${account.name}`,
        ...superviseAccount(account, Runtime.instance().logger),
        create,
        first,
        areOthersServed: () => accounts.some((other) => other.getState() === 'RUNNING'),
      });
    }),
  );
  return [workflows, ...accounts];
}

/** Runs the workflow tasks of all accounts. */
export async function createWorkflowWorker(options: WorkflowWorkerOptions): Promise<Worker> {
  const { connection, namespace, workflowBundle, prepare, nexus = true } = options;
  const taskQueue = options.workflowTaskQueue ?? WORKFLOW_TASK_QUEUE;
  const codec = codecOf(options);
  const manifests = manifestsOf(options);
  const isLeaving = (): boolean => worker.getState() !== 'RUNNING';
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle,
    dataConverter: toDataConverter(codec),
    ...versionOptions(options.version),
    ...(nexus && { nexusServices: [createNexusService(startSettings(taskQueue, prepare))] }),
    activities: {
      ...createWatchLeaseActivities({ repeat: createRepeatWatches({ connection, namespace }) }),
      ...prepareActivities(prepare, { connection, namespace, codec }),
      ...createScanActivities({ manifests }),
      ...createBatchActivities({
        manifests,
        runs: createBatchRuns({
          client: getClient,
          standing: shareProofs(createProveCurrent({ connection, namespace, codec })),
          ...startSettings(taskQueue, prepare),
        }),
        isLeaving,
      }),
    },
    maxCachedWorkflows: options.cachedRuns ?? DEFAULT_CACHED_RUNS,
    maxConcurrentWorkflowTaskExecutions: MAX_WORKFLOW_TASKS,
    maxConcurrentActivityTaskExecutions: MAX_ACTIVITIES,
    ...ACTIVATION_LIMIT,
    ...tracedOptions(options.tracing),
    ...SHUTDOWN,
  });
  return worker;
}

/** Its client encrypts like the worker, so only a setting has to be passed on. */
function startSettings(taskQueue: string, { secretsPolicy: policy }: PrepareSettings): NexusStarts {
  return { taskQueue, ...(policy !== 'unless-encrypted' && { clearSecrets: policy }) };
}

/** Makes the calls of one account and, where few others do, watches its tasks. */
export async function createAccountWorkers(
  options: AccountWorkersOptions,
  account: AccountOptions,
): Promise<Runnable[]> {
  const watches = options.prepare.policy.watcher === true && options.watches !== false;
  const identity = createIdentity({ watches });
  const peers = createPeers(() => listPollers(options, apiTaskQueue(account.name)), identity);
  const budgeted = { ...withBudget(account, { ...peers, ...options }), identity };
  const { connection, namespace, prepare, tracing } = options;
  const { webhooks: settings } = prepare;
  const codec = codecOf(options);
  const calls = await createAll([
    ...createCallWorkers(options, budgeted),
    ...(settings
      ? [
          createWebhookWorker({
            connection,
            namespace,
            codec,
            account: account.name,
            settings,
            tracing,
            ...(account.onDelivery && { onTry: account.onDelivery }),
          }),
        ]
      : []),
  ]);
  if (!watches) return calls;
  const { poll } = prepare.policy;
  const { lease } = options;
  const shared = { connection, namespace, codec, poll, tracing, lease };
  return [...calls, createWatchWorker({ ...shared, account: budgeted }, peers)];
}

/** An account whose calls and watcher share one budget in this process. */
type BudgetedAccount = Omit<AccountOptions, 'api'> & { api: ApiClientOptions };

function withBudget(
  account: AccountOptions,
  { share, freezes }: Pick<Peers & ProcessParts, 'share' | 'freezes'>,
): BudgetedAccount {
  const { requestsPerSecond: perSecond, onPace, onBudget } = account;
  const budget = createRequestBudget({ perSecond, share, ...(onPace && { onPace }) });
  onBudget?.(() => budget.pressure());
  return { ...account, api: { ...account.api, budget, freezes } };
}

function codecOf({ codec = createCodec(undefined) }: SharedOptions): Codec {
  return codec;
}

function manifestsOf(options: SharedOptions): ManifestReader {
  const { connection, namespace, manifests } = options;
  const uploads = createUploadSource({ connection, namespace, codec: codecOf(options) });
  return createManifestReader({ ...manifests, uploads });
}

/** HTTP calls. The server paces them for all workers together; urgent ones have their own queue. */
function createCallWorkers(
  options: SharedOptions,
  { name, api, requestsPerSecond, identity, secrets }: BudgetedAccount & { identity: string },
): Promise<Worker>[] {
  const { connection, namespace, prepare } = options;
  const manifests = manifestsOf(options);
  const codec = codecOf(options);
  const secretsOfRun = createSecretsOfRun({
    connection,
    namespace,
    codec,
    secrets,
    keys: toApiKeys(api.apiKey),
  });
  const proveCurrent = createProveCurrent({ connection, namespace, codec });
  const client = createApiClient({ ...api, proveCurrent });
  const groups = createApiActivities({
    api: client,
    poll: prepare.policy.poll,
    manifests,
    secretsOfRun,
    ...(secrets && { secrets }),
    callApi: prepare.callApi,
  });
  const activities = registeredActivities(groups);
  return [apiTaskQueue(name), urgentTaskQueue(name)].map((taskQueue) =>
    Worker.create({
      connection,
      namespace,
      taskQueue,
      identity,
      dataConverter: toDataConverter(codec),
      activities,
      maxTaskQueueActivitiesPerSecond: Math.max(requestsPerSecond * QUEUE_SHARE, SLOWEST_QUEUE),
      maxHeartbeatThrottleInterval: HEARTBEAT_EVERY,
      ...tracedOptions(options.tracing),
      ...SHUTDOWN,
    }),
  );
}
