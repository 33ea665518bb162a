import type { Priority } from '@temporalio/common';
import { proxyActivities, workflowInfo, type RetryPolicy } from '@temporalio/workflow';

import type { ApiActivityGroups, WatchActivities } from '../../../activities/index.js';
import type { PreparedRun } from '../../../contract/prepared/prepared-run.js';
import {
  apiTaskQueue,
  isUrgent,
  urgentTaskQueue,
  watchTaskQueue,
} from '../../../contract/names.js';
import type { RunPolicy } from '../../../contract/run-policy.js';

/** Reads are repeated until the API answers: an outage of hours is a pause. */
function retryUntilAnswered({ longestRetryMs = 60_000 }: RunPolicy): RetryPolicy {
  return { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: longestRetryMs };
}

type Proxied<A> = ReturnType<typeof proxyActivities<A>>;

/**
 * The API calls of one account, grouped by what a repeat would do. The groups come from the
 * activities themselves: a call that is in no group is not here.
 */
export type Api = {
  [K in keyof ApiActivityGroups]: Proxied<ApiActivityGroups[K]>;
} & {
  /** The reads for what is only good to know: a refusal comes back at once, nothing is parked. */
  direct: Proxied<ApiActivityGroups['reads']>;
  /** Runs for as long as the task does, on a queue of its own. */
  watch: Proxied<WatchActivities>;
};

/** Carries out a call, however long what hinders it lasts; see parkWhileBlocked. */
type Persist = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * The timeouts lie above the HTTP client's own, so that an exchange ends by itself first. No
 * scheduleToClose: neither a waiting rate limit nor an outage may end a call.
 */
export function apiOf(plan: PreparedRun, persist: Persist): Api {
  const { account, policy } = plan;
  const queue = queueOf(plan);
  const untilAnswered = {
    ...queue,
    startToCloseTimeout: '20 seconds',
    retry: retryUntilAnswered(policy),
  } as const;
  const reads = proxyActivities<ApiActivityGroups['reads']>(untilAnswered);
  const deletes = proxyActivities<ApiActivityGroups['deletes']>(untilAnswered);
  const polls = proxyActivities<ApiActivityGroups['polls']>({
    ...queue,
    startToCloseTimeout: '20 seconds',
    // While a task is pending the activity itself names the next look; this is for an outage.
    retry: { initialInterval: '30 seconds', backoffCoefficient: 1 },
  });
  return {
    reads: withPersistence(reads, persist),
    direct: reads,
    deletes: withPersistence(deletes, persist),
    polls: withPersistence(polls, persist),
    mutations: proxyActivities<ApiActivityGroups['mutations']>({
      ...queue,
      startToCloseTimeout: '20 seconds',
      retry: { maximumAttempts: 1 },
    }),
    convergent: proxyActivities<ApiActivityGroups['convergent']>({
      ...queue,
      // What is sent may have to be read first, from where the input says that it stands.
      startToCloseTimeout: '10 minutes',
      heartbeatTimeout: '30 seconds',
      retry: { maximumAttempts: 1 },
    }),
    longReads: proxyActivities<ApiActivityGroups['longReads']>({
      ...queue,
      startToCloseTimeout: '1 hour',
      heartbeatTimeout: '30 seconds',
      retry: retryUntilAnswered(policy),
    }),
    watch: proxyActivities<WatchActivities>({
      taskQueue: watchTaskQueue(account),
      // A worker that dies is noticed after one heartbeat, a hanging one after an hour.
      heartbeatTimeout: '30 seconds',
      startToCloseTimeout: '1 hour',
      retry: { initialInterval: '1 second', backoffCoefficient: 1 },
      cancellationType: 'TRY_CANCEL',
    }),
  };
}

/** Calls have the priority of their run; what is urgent by itself is so however it was started. */
function queueOf({ account, priorityKey }: PreparedRun): {
  taskQueue: string;
  priority?: Priority;
} {
  const given = workflowInfo().priority?.priorityKey;
  const isOwn = given === undefined && priorityKey !== undefined;
  return {
    taskQueue: isUrgent(given ?? priorityKey) ? urgentTaskQueue(account) : apiTaskQueue(account),
    ...(isOwn && { priority: { priorityKey } }),
  };
}

/** A proxied activity, as far as it is passed on. */
interface Activity {
  (...args: readonly unknown[]): Promise<unknown>;
  executeWithOptions: (options: unknown, args: readonly unknown[]) => Promise<unknown>;
}

function isActivity(value: unknown): value is Activity {
  return typeof value === 'function';
}

/** The same activities; what they fail with reaches the caller only if waiting does not mend it. */
function withPersistence<A extends object>(activities: A, persist: Persist): A {
  return new Proxy(activities, {
    get(target, name) {
      const call: unknown = Reflect.get(target, name);
      if (!isActivity(call)) return call;
      const persistent = (...args: readonly unknown[]) => persist(() => call(...args));
      const executeWithOptions = (options: unknown, args: readonly unknown[]) =>
        persist(() => call.executeWithOptions(options, args));
      return Object.assign(persistent, { executeWithOptions });
    },
  });
}
