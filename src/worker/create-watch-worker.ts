import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { Runtime, Worker, type NativeConnection } from '@temporalio/worker';

import {
  createApiActivities,
  createApiClient,
  createTaskReads,
  createTaskWatcher,
  createWatchActivities,
  readExistingParts,
  toApiKeys,
  type ApiClientOptions,
  type ListHealthEvents,
  type PartIds,
  type SecretSource,
  type TaskView,
  type TaskWatcher,
} from '../activities/index.js';
import type { Codec } from '../codec/codec.js';
import { toDataConverter } from '../codec/data-converter.js';
import { watchTaskQueue } from '../contract/wire/names.js';
import type { PollPolicy } from '../engine/core/run-policy.js';
import { createElectedWorker } from './elected-worker.js';
import type { Runnable } from './runnable.js';
import { createElection, type Election } from './election.js';
import { createLeftWatches, lookAtQueue } from './left-watches.js';
import type { Peers } from './peers.js';
import { createSecretsOfRun } from './secrets-of-run.js';
import { tracedOptions, type WorkerTracing } from './tracing.js';
import type { Watching, WatchLease } from './watch-lease.js';

export interface WatchWorkerOptions {
  connection: NativeConnection;
  namespace: string;
  codec: Codec;
  poll: PollPolicy;
  tracing?: WorkerTracing | undefined;
  lease: WatchLease;
  account: {
    name: string;
    api: ApiClientOptions;
    watch?: WatchEvents;
    secrets?: SecretSource;
  };
}

export interface WatchEvents extends ListHealthEvents {
  /** The watcher exists; the function says how many tasks it watches. */
  onWatcher?: (watched: () => number) => void;
}

/** Watching activities at a time: each holds a slot for as long as its task takes, and costs nothing meanwhile. */
const MAX_WATCHED = 25_000;
/** They heartbeat rarely, and soon when there is something to say. */
const HEARTBEAT_EVERY = '10 seconds';

/** Watches the tasks of an account while this process is one of those that do. */
export function createWatchWorker(options: WatchWorkerOptions, peers: Peers): Runnable {
  const { connection, namespace, codec, poll, lease, account } = options;
  const taskQueue = watchTaskQueue(account.name);
  const areLeft = createLeftWatches(() => lookAtQueue(options, taskQueue));
  const election = createElection({ peers, areLeft, settleMs: poll.minMs });
  const watcher = createWatcher(options, election);
  // Others have them now. What is left here would only hold a slot.
  const watching = lease.join(() => {
    watcher.drop(GIVEN_AWAY);
  });
  const activities = createActivities(options, watcher, watching);
  return createElectedWorker({
    isElected: election.isElected,
    create: async () => {
      const worker = await Worker.create({
        connection,
        namespace,
        taskQueue,
        identity: lease.identity,
        dataConverter: toDataConverter(codec),
        activities,
        maxConcurrentActivityTaskExecutions: MAX_WATCHED,
        maxHeartbeatThrottleInterval: HEARTBEAT_EVERY,
        ...tracedOptions(options.tracing),
        // Interrupting a watching activity loses nothing: another worker continues it.
        shutdownGraceTime: 0,
        shutdownForceTime: '15 seconds',
      });
      return leased(worker, watching);
    },
    onTrouble: (error) => {
      Runtime.instance().logger.warn(TROUBLE, { account: account.name, error });
    },
  });
}

/** A worker that has ended has nothing left; what one had that failed is taken over at once. */
function leased(worker: Worker, watching: Watching): Runnable {
  return {
    getState: () => worker.getState(),
    shutdown: () => {
      worker.shutdown();
    },
    run: async () => {
      try {
        await worker.run();
      } catch (error) {
        await watching.lose(error);
        throw error;
      }
      await watching.leave();
    },
  };
}

const GIVEN_AWAY = ApplicationFailure.retryable(
  'The Temporal server did not hear this process for a while, and had its watches repeated',
  'WatcherLost',
);

const TROUBLE = 'The worker that watches tasks did not start or end as it should; trying again';

function createWatcher(
  { poll, account }: WatchWorkerOptions,
  { settled, watchers }: Election,
): TaskWatcher<TaskView> {
  const { api: options, watch } = account;
  // The requests of the watcher belong to no single activity, so no activity can cancel them.
  const cancelled = new AbortController().signal;
  const callContext = () => ({ cancelled, workflowId: undefined });
  const reads = createTaskReads({ api: createApiClient({ ...options, callContext }) });
  const watcher = createTaskWatcher(
    {
      ...reads,
      listActiveTaskIds: async () => {
        await settled();
        return reads.listActiveTaskIds();
      },
    },
    poll,
    { ...watch, watchers },
  );
  watch?.onWatcher?.(() => watcher.watched());
  return watcher;
}

function createActivities(
  { connection, namespace, codec, poll, account }: WatchWorkerOptions,
  watcher: TaskWatcher<TaskView>,
  { hold, ended }: Pick<Watching, 'hold' | 'ended'>,
) {
  const { api: options, secrets } = account;
  const secretsOfRun = createSecretsOfRun({
    connection,
    namespace,
    codec,
    secrets,
    keys: toApiKeys(options.apiKey),
  });
  // These reads are each made for one run.
  const api = createApiClient(options);
  // One try: the run reads by itself what is missing.
  const listExistingParts = (ids: PartIds) => readExistingParts(api, ids);
  const readsOfRuns = { ...createApiActivities({ api, poll }).reads, listExistingParts };
  const held: typeof watcher.watch = (task, signal) => {
    hold();
    return watcher.watch(task, signal);
  };
  return createWatchActivities({
    watcher: { ...watcher, watch: held },
    secretsOfRun,
    reads: readsOfRuns,
    onEnd: () => {
      const { workflowExecution: run } = Context.current().info;
      if (run !== undefined) ended(run);
    },
  });
}
