import type { Priority } from '@temporalio/common';
import { proxyActivities, workflowInfo, type RetryPolicy } from '@temporalio/workflow';

import type { ApiActivityGroups, StampedReads, WatchActivities } from '../../activities/index.js';
import type { PreparedRun } from '../core/prepared-run.js';
import {
  apiTaskQueue,
  isUrgent,
  urgentTaskQueue,
  watchTaskQueue,
} from '../../contract/wire/names.js';
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
type SendGroup = Exclude<keyof ApiActivityGroups, ReadGroup>;

/**
 * The API calls of one account, grouped by the effect of a repeat. The activities themselves define the
 * groups: a call without a group is not here.
 */
export type Api = {
  [K in ReadGroup]: Proxied<ApiActivityGroups[K]>;
} & {
  [K in SendGroup]: Sends<ApiActivityGroups[K]>;
} & {
  readonly times: ReadTimes;
  /** The same reads, but a refusal is thrown immediately and never parks the run. */
  direct: Proxied<ApiActivityGroups['reads']>;
  /** Each call runs as long as its task, on a separate queue. */
  watch: Proxied<WatchActivities>;
};

/** A dead worker is noticed after this time. Calls that wait for their turn heartbeat. */
const heartbeatTimeout = '30 seconds';

/** The outcome of a change counts, also when its run asks for its end. Left out, the SDK does not wait for it. */
const cancellationType = 'WAIT_CANCELLATION_COMPLETED';

/**
 * The timeouts are longer than those of the HTTP client, so that an exchange ends by itself first. They leave
 * time to wait for a turn: a call that has one in hand loses nothing. There is no scheduleToClose timeout:
 * neither a rate limit nor an outage may end a call.
 *
 * @param writer the Run Id of the run that asks, as its history knows it
 */
export function apiOf(prepared: PreparedRun, persist: Persist, writer: () => string): Api {
  const { account, policy } = prepared;
  const queue = queueOf(prepared);
  const { priority } = queue;
  const untilAnswered = {
    ...queue,
    startToCloseTimeout: '30 minutes',
    heartbeatTimeout,
    retry: retryUntilAnswered(policy),
  } as const;
  const times = createReadTimes();
  const reads = withTimes<ApiActivityGroups['reads']>(
    proxyActivities<StampedReads<ApiActivityGroups['reads']>>(untilAnswered),
    times,
  );
  const changes = {
    ...queue,
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout,
    retry: { maximumAttempts: 1 },
    cancellationType,
  } as const;
  const polls = proxyActivities<ApiActivityGroups['polls']>({
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
    deletes: sends<ApiActivityGroups['deletes']>(proxyActivities(changes), writer),
    polls: withPersistence(polls, persist),
    mutations: sends<ApiActivityGroups['mutations']>(proxyActivities(changes), writer),
    convergent: sends<ApiActivityGroups['convergent']>(
      // The activity may have to read the items from the manifest first.
      proxyActivities({ ...changes, startToCloseTimeout: '10 minutes' }),
      writer,
    ),
    longReads: proxyActivities<ApiActivityGroups['longReads']>({
      ...queue,
      startToCloseTimeout: '1 hour',
      heartbeatTimeout,
      retry: retryUntilAnswered(policy),
    }),
    watch: proxyActivities<WatchActivities>({
      taskQueue: watchTaskQueue(account),
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
function queueOf({ account, priorityKey }: PreparedRun): {
  taskQueue: string;
  priority?: Priority;
} {
  const given = workflowInfo().priority?.priorityKey;
  const usesPrepared = given === undefined && priorityKey !== undefined;
  return {
    taskQueue: isUrgent(given ?? priorityKey) ? urgentTaskQueue(account) : apiTaskQueue(account),
    ...(usesPrepared && { priority: { priorityKey } }),
  };
}
