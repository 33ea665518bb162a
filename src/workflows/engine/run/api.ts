import type { Priority } from '@temporalio/common';
import { proxyActivities, workflowInfo, type RetryPolicy } from '@temporalio/workflow';

import type { ApiActivities, WatchActivities } from '../../../activities/index.js';
import type { PreparedRun } from '../../../activities/prepare.js';
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

type Sends = Pick<
  ApiActivities,
  | 'createInstance'
  | 'createVideoBatch'
  | 'createDdosProfile'
  | 'updateDdosProfile'
  | 'switchDdosProfile'
  | 'setSftpStorageKeys'
>;
type Polls = Pick<ApiActivities, 'pollTask'>;
type ConvergentSends = Pick<ApiActivities, 'sendKvChunk'>;
type LongReads = Pick<
  ApiActivities,
  'scanKvManifest' | 'compareKvChunk' | 'surveyKvManifest' | 'findKvDatatypes'
>;
type Repeatables = Omit<
  ApiActivities,
  keyof Sends | keyof Polls | keyof ConvergentSends | keyof LongReads
>;

/**
 * What a plan may call. Each of them changes nothing: `checkLimits` and `listAvailableFlavors` are
 * POSTs all the same. A new operation adds its reads here.
 */
type Reads = Pick<
  ApiActivities,
  | 'checkLimits'
  | 'findCloudSshKeyNames'
  | 'findVideoBatch'
  | 'getFloatingIp'
  | 'getImage'
  | 'getInstance'
  | 'getNetwork'
  | 'getSftpStorage'
  | 'getSubnet'
  | 'getVolume'
  | 'listAvailableFlavors'
  | 'listDdosProfiles'
  | 'listFlavors'
  | 'listInstances'
  | 'listProjectIds'
  | 'listRegionIds'
  | 'listSshKeyPage'
  | 'listVolumes'
  | 'preflightProtection'
  | 'readKvStore'
>;

/** The API calls of one account, grouped by what a repeat would do. */
export interface Api {
  /** Reads and deletes by id: harmless to repeat, so Temporal repeats them without end. */
  repeatable: ReturnType<typeof proxyActivities<Repeatables>>;
  /** The same calls for what is only good to know: a refusal comes back at once, nothing is parked. */
  direct: ReturnType<typeof proxyActivities<Reads>>;
  /** Mutations that would happen twice, or too late: one attempt each, see send-once. */
  singleAttempt: ReturnType<typeof proxyActivities<Sends>>;
  /** Mutations whose repeat converges: one attempt each too, see send-until-answered. */
  convergent: ReturnType<typeof proxyActivities<ConvergentSends>>;
  /** Reads of many things, or of a large one; repeated without end, and never blocked by themselves. */
  longReads: ReturnType<typeof proxyActivities<LongReads>>;
  /** Called again and again by Temporal until the task has ended. */
  polls: ReturnType<typeof proxyActivities<Polls>>;
  /** Runs for as long as the task does, on a queue of its own. */
  watch: ReturnType<typeof proxyActivities<WatchActivities>>;
}

/** Carries out a call, however long what hinders it lasts; see parkWhileBlocked. */
type Persist = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * The timeouts lie above the HTTP client's own, so that an exchange ends by itself first. No
 * scheduleToClose: neither a waiting rate limit nor an outage may end a call.
 */
export function apiOf(plan: PreparedRun, persist: Persist): Api {
  const { account, policy } = plan;
  const queue = queueOf(plan);
  const repeatable = proxyActivities<Repeatables>({
    ...queue,
    startToCloseTimeout: '20 seconds',
    retry: retryUntilAnswered(policy),
  });
  const polls = proxyActivities<Polls>({
    ...queue,
    startToCloseTimeout: '20 seconds',
    // While a task is pending the activity itself names the next look; this is for an outage.
    retry: { initialInterval: '30 seconds', backoffCoefficient: 1 },
  });
  return {
    repeatable: withPersistence(repeatable, persist),
    direct: repeatable,
    polls: withPersistence(polls, persist),
    singleAttempt: proxyActivities<Sends>({
      ...queue,
      startToCloseTimeout: '20 seconds',
      retry: { maximumAttempts: 1 },
    }),
    convergent: proxyActivities<ConvergentSends>({
      ...queue,
      // What is sent may have to be read first, from where the input says that it stands.
      startToCloseTimeout: '10 minutes',
      heartbeatTimeout: '30 seconds',
      retry: { maximumAttempts: 1 },
    }),
    longReads: proxyActivities<LongReads>({
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
