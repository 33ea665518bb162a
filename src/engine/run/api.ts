import type { Priority } from '@temporalio/common';
import { proxyActivities, workflowInfo, type RetryPolicy } from '@temporalio/workflow';

import type { StampedReads } from '../activities/registered-activities.js';
import { isUrgent } from '../core/names.js';
import type { PreparedRun } from '../core/prepared-run.js';
import type { RemoteApi, Product } from '../core/product.js';
import type { RunPolicy } from '../core/run-policy.js';
import type { SeenAfter, TaskView, WatchedTask } from '../core/tasks.js';
import {
  sends,
  withoutTimes,
  withPersistence,
  withTimes,
  type Asking,
  type Persist,
  type Proxied,
  type Sends,
} from './activity-calls.js';
import type { Controls } from './controls.js';
import { createReadTimes, type ReadTimes } from './read-times.js';
import { createReadsAfter } from './reads-after.js';
import { untilUnderstood } from './until-understood.js';

/** A task that a run waits for. */
export interface WaitedTask<A extends RemoteApi = RemoteApi> extends WatchedTask {
  /** What a watcher reads as soon as the task has finished. */
  thenRead?: A['thenRead'];
}

export interface EndedTask<A extends RemoteApi = RemoteApi> extends TaskView<A['created']> {
  /** Missing where nothing was asked for, and where the read failed: then the run reads by itself. */
  seen?: SeenAfter<A['seen']>;
}

/** The calls by which a run waits for a task. Each fails as `NotFound` when the API no longer knows the task. */
export interface TaskCalls<A extends RemoteApi = RemoteApi> {
  /** Reads the task. */
  read(options: { summary: string }, task: { taskId: string }): Promise<TaskView<A['created']>>;
  /** Reads the task again and again, until it has ended or `giveUpAt` is over. */
  poll(options: { summary: string }, task: WatchedTask): Promise<TaskView<A['created']>>;
  /** Has a watcher look for all runs at once. */
  watch(
    options: { summary: string; scheduleToCloseTimeout?: number },
    task: WaitedTask<A>,
  ): Promise<EndedTask<A>>;
}

/** Which activities those are. */
export type TaskCallsOf<A extends RemoteApi> = (api: Api<A>) => TaskCalls<A>;

/** Temporal repeats reads until the API answers: an outage of hours is just a wait. What it cannot read, `untilUnderstood` repeats. */
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

interface ApiParts
  extends Pick<Product, 'queues'>, Pick<Asking, 'writer'>, Pick<Controls, 'pause'> {
  persist: Persist;
}

/**
 * The timeouts are longer than those of the HTTP client, so that an exchange ends by itself first. They leave
 * time to wait for a turn: a call that has one in hand loses nothing. There is no scheduleToClose timeout:
 * neither a rate limit nor an outage may end a call.
 */
export function apiOf<A extends RemoteApi>(
  prepared: PreparedRun,
  { queues, persist, writer, pause }: ApiParts,
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
  const known = { times: createReadTimes(), after: createReadsAfter(pause) };
  const asking = { writer, after: known.after };
  const reads = withTimes<A['groups']['reads']>(
    proxyActivities<StampedReads<A['groups']['reads']>>(untilAnswered),
    known,
  );
  const patiently: Persist = (call) => untilUnderstood(call)();
  const blocking: Persist = (call) => persist(untilUnderstood(call));
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
    times: known.times,
    reads: withPersistence(reads, blocking),
    direct: withPersistence(reads, patiently),
    deletes: sends<A['groups']['deletes']>(proxyActivities(changes), asking),
    polls: withPersistence(polls, blocking),
    mutations: sends<A['groups']['mutations']>(proxyActivities(changes), asking),
    convergent: sends<A['groups']['convergent']>(
      // The activity may have to read the items from the manifest first.
      proxyActivities({ ...changes, startToCloseTimeout: '10 minutes' }),
      asking,
    ),
    longReads: withPersistence(
      withoutTimes(
        proxyActivities<A['groups']['longReads']>({
          ...queue,
          startToCloseTimeout: '1 hour',
          heartbeatTimeout,
          retry: retryUntilAnswered(policy),
        }),
        known.times,
      ),
      patiently,
    ),
    watch: proxyActivities<A['groups']['watch']>({
      taskQueue: queues.watch(account),
      // Nobody takes it where no worker watches: then the run goes by its timers.
      scheduleToStartTimeout: watchStartMs(policy),
      ...(priority && { priority }),
      // A dead process is noticed by its lease (`leaseWatches`), what hangs by the run's own looks. This is for a watch that was
      // lost alone, on its way to a process or back. A heartbeat is a write, and most waits end before the first one.
      heartbeatTimeout: '1 minute',
      startToCloseTimeout: '1 day',
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
