import type { Priority } from '@temporalio/common';
import { proxyActivities, workflowInfo, type RetryPolicy } from '@temporalio/workflow';

import type { StampedReads } from '../activities/stamp-reads.js';
import type { Product, RemoteApi } from '../core/product.js';
import type { PreparedRun } from '../core/prepared-run.js';
import { isUrgent } from '../core/names.js';
import type { RunPolicy } from '../core/run-policy.js';
import {
  sends,
  withPersistence,
  withTimes,
  type Persist,
  type Proxied,
  type Sends,
} from './proxied.js';
import { createReadTimes, type ReadTimes } from './read-times.js';

/** Temporal repeats reads until the API answers: an outage of hours is just a wait. */
function retryUntilAnswered({ longestRetryMs = 60_000 }: RunPolicy): RetryPolicy {
  return { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: longestRetryMs };
}

type ReadGroup = 'reads' | 'longReads' | 'polls';
type SendGroup = 'deletes' | 'mutations' | 'convergent';

/**
 * The API calls of one account, grouped by the effect of a repeat. The activities themselves define the
 * groups: a call without a group is not here.
 */
export type Api<A extends RemoteApi = RemoteApi> = {
  [K in ReadGroup]: Proxied<A['groups'][K]>;
} & {
  [K in SendGroup]: Sends<A['groups'][K]>;
} & {
  readonly times: ReadTimes;
  /** The same reads, but a refusal is thrown immediately and never parks the run. */
  direct: Proxied<A['groups']['reads']>;
  /** Each call runs as long as its task, on a separate queue. */
  watch: Proxied<A['groups']['watch']>;
};

/** A dead worker is noticed after this time. Calls that wait for their turn heartbeat. */
const heartbeatTimeout = '30 seconds';

/** The outcome of a change counts, also when its run asks for its end. Left out, the SDK does not wait for it. */
const cancellationType = 'WAIT_CANCELLATION_COMPLETED';

interface ApiParts extends Pick<Product, 'queues'> {
  persist: Persist;
  /** The Run Id of the run that asks, as its history knows it. */
  writer: () => string;
}

/**
 * The timeouts are longer than those of the HTTP client, so that an exchange ends by itself first. They leave
 * time to wait for a turn: a call that has one in hand loses nothing. There is no scheduleToClose timeout:
 * neither a rate limit nor an outage may end a call.
 */
export function apiOf<A extends RemoteApi>(
  prepared: PreparedRun,
  { queues, persist, writer }: ApiParts,
): Api<A> {
  const { account, policy } = prepared;
  const queue = queueOf(prepared, queues);
  const { priority } = queue;
  const untilAnswered = {
    ...queue,
    startToCloseTimeout: '30 minutes',
    heartbeatTimeout,
    retry: retryUntilAnswered(policy),
  } as const;
  const times = createReadTimes();
  const reads = withTimes<A['groups']['reads']>(
    proxyActivities<StampedReads<A['groups']['reads']>>(untilAnswered),
    times,
  );
  const changes = {
    ...queue,
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout,
    retry: { maximumAttempts: 1 },
    cancellationType,
  } as const;
  const polls = proxyActivities<A['groups']['polls']>({
    ...queue,
    startToCloseTimeout: '30 minutes',
    heartbeatTimeout,
    // While a task is pending, the activity sets the time of the next look. This is for an outage.
    retry: { initialInterval: '30 seconds', backoffCoefficient: 1 },
  });
  return {
    times,
    reads: withPersistence(reads, persist),
    direct: reads,
    deletes: sends<A['groups']['deletes']>(proxyActivities(changes), writer),
    polls: withPersistence(polls, persist),
    mutations: sends<A['groups']['mutations']>(proxyActivities(changes), writer),
    convergent: sends<A['groups']['convergent']>(
      // The activity may have to read the items from the manifest first.
      proxyActivities({ ...changes, startToCloseTimeout: '10 minutes' }),
      writer,
    ),
    longReads: proxyActivities<A['groups']['longReads']>({
      ...queue,
      startToCloseTimeout: '1 hour',
      heartbeatTimeout,
      retry: retryUntilAnswered(policy),
    }),
    watch: proxyActivities<A['groups']['watch']>({
      taskQueue: queues.watch(account),
      // Nobody takes it where no worker watches: then the run goes by its timers.
      scheduleToStartTimeout: watchStartMs(policy),
      ...(priority && { priority }),
      // A dead worker is noticed after one heartbeat timeout, a hanging one after an hour.
      heartbeatTimeout,
      startToCloseTimeout: '1 hour',
      retry: { initialInterval: '1 second', backoffCoefficient: 1 },
      cancellationType: 'TRY_CANCEL',
    }),
  };
}

/** Shortest time for a worker to take a watch, also where everything else is faster than in reality. */
const MIN_WATCH_START_MS = 5_000;
const WATCH_START_CYCLES = 15;

/** The time in which a worker that watches takes a watch: half a minute. */
export function watchStartMs({ poll }: RunPolicy): number {
  return Math.max(poll.minMs * WATCH_START_CYCLES, MIN_WATCH_START_MS);
}

/** Calls have the priority of their run. A run without one gets the priority of its operation. */
function queueOf(
  { account, priorityKey }: PreparedRun,
  queues: Product['queues'],
): { taskQueue: string; priority?: Priority } {
  const given = workflowInfo().priority?.priorityKey;
  const usesPrepared = given === undefined && priorityKey !== undefined;
  return {
    taskQueue: isUrgent(given ?? priorityKey) ? queues.urgent(account) : queues.api(account),
    ...(usesPrepared && { priority: { priorityKey } }),
  };
}
