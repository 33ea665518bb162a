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
import type { Term, WatchLease } from './watch-lease.js';

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
  const activities = createActivities(options, createWatcher(options, election));
  let term: Term | undefined;
  return createElectedWorker({
    isElected: () => election.isElected() && term?.isHeld() !== false,
    create: async () => {
      const joined = await lease.join();
      const { identity } = joined;
      try {
        const worker = await Worker.create({
          connection,
          namespace,
          taskQueue,
          identity,
          dataConverter: toDataConverter(codec),
          activities,
          maxConcurrentActivityTaskExecutions: MAX_WATCHED,
          maxHeartbeatThrottleInterval: HEARTBEAT_EVERY,
          ...tracedOptions(options.tracing),
          // Interrupting a watching activity loses nothing: another worker continues it.
          shutdownGraceTime: 0,
          shutdownForceTime: '15 seconds',
        });
        term = joined;
        return leased(worker, joined, () => {
          term = undefined;
        });
      } catch (error) {
        await joined.leave();
        throw error;
      }
    },
    onTrouble: (error) => {
      Runtime.instance().logger.warn(TROUBLE, { account: account.name, error });
    },
  });
}

/** What a worker had that fails is taken over, although its process lives. */
function leased(worker: Worker, term: Term, onEnd: () => void): Runnable {
  return {
    getState: () => worker.getState(),
    shutdown: () => {
      worker.shutdown();
    },
    run: async () => {
      try {
        await worker.run();
      } catch (error) {
        term.lose();
        throw error;
      } finally {
        onEnd();
        await term.leave();
      }
    },
  };
}

const TROUBLE = 'The worker that watches tasks did not start or end as it should; trying again';

function createWatcher(
  { poll, account }: WatchWorkerOptions,
  { settled, watchers }: Election,
): TaskWatcher<TaskView> {
  const { api: options, watch } = account;
  // The requests of the watcher belong to no single activity, so no activity can cancel them.
  const cancelled = new AbortController().signal;
  // Among the reads of runs they would wait for longer than they may, again and again.
  const callContext = () => ({ cancelled, workflowId: undefined, lane: 'watch' as const });
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
  return createWatchActivities({ watcher, secretsOfRun, reads: readsOfRuns });
}
