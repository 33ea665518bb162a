import { setTimeout as delay } from 'node:timers/promises';

import {
  activityInfo,
  ApplicationFailure,
  CancelledFailure,
  Context,
  heartbeat,
} from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';

import {
  createGate,
  easy,
  outcomeOf,
  pendingActivities,
  script,
  untilEvent,
  untilIdle,
  type Script,
} from './kit.js';

const quick = { initialInterval: '100ms', backoffCoefficient: 1 };

/** An activity that fails until it has been tried so often. */
function failsUntil(attempt: number) {
  return () => {
    const info = activityInfo();
    if (info.attempt < attempt) throw new Error(`attempt ${info.attempt} failed`);
    return info.attempt;
  };
}

interface Performed {
  perform: (...args: never[]) => unknown;
  options?: Record<string, unknown>;
  args?: unknown[];
}

/** A run that performs one activity with these options. */
function performs(name: string, { perform, options = {}, args = [] }: Performed): Script {
  return script(name, async (stage) => {
    await stage.worker({ perform });
    return stage.outcome('performs', { args: [options, ...args] });
  });
}

/** Goes on until it is cancelled, or for ever. */
async function beats(): Promise<never> {
  for (;;) {
    heartbeat('alive');
    await Context.current().sleep(50);
  }
}

const endings = [
  performs('an activity succeeds', {
    perform: (what: string, more: unknown) => ({ what, more }),
    args: [{ a: [1] }],
  }),

  performs('an activity returns nothing', { perform: () => undefined }),

  performs('an activity returns bytes', { perform: () => new Uint8Array([1, 2, 3]) }),

  performs('an activity knows what it is', {
    perform: () => {
      const { activityId, activityType, attempt, isLocal, workflowType, namespace } =
        activityInfo();
      const { startToCloseTimeoutMs, scheduleToCloseTimeoutMs, heartbeatTimeoutMs, retryPolicy } =
        activityInfo();
      return {
        ...{ activityId, activityType, attempt, isLocal, workflowType, namespace },
        ...{ startToCloseTimeoutMs, scheduleToCloseTimeoutMs, heartbeatTimeoutMs, retryPolicy },
        workflowExecution: activityInfo().workflowExecution,
        taskQueue: activityInfo().taskQueue,
      };
    },
    options: { heartbeatTimeout: '10s', scheduleToCloseTimeout: '30s', summary: 'about it' },
  }),

  performs('an activity is retried until it succeeds', {
    perform: failsUntil(3),
    options: { retry: quick },
  }),

  performs('an activity fails when its attempts are used up', {
    perform: failsUntil(9),
    options: { retry: { ...quick, maximumAttempts: 3 } },
  }),

  performs('an activity fails at once with a failure that must not be retried', {
    perform: () => {
      const cause = new TypeError('the cause');
      throw ApplicationFailure.create({ message: 'no', type: 'No', nonRetryable: true, cause });
    },
  }),

  performs('an activity fails at once with a type that must not be retried', {
    perform: () => {
      throw ApplicationFailure.create({ message: 'no', type: 'Listed', details: [1, { a: 2 }] });
    },
    options: { retry: { ...quick, nonRetryableErrorTypes: ['Other', 'Listed'] } },
  }),

  performs('an activity says when it wants to be tried again', {
    perform: () => {
      const { attempt, currentAttemptScheduledTimestampMs, scheduledTimestampMs } = activityInfo();
      const waited = currentAttemptScheduledTimestampMs - scheduledTimestampMs;
      if (attempt === 2) return { isInTime: waited >= 700 && waited < 30_000 };
      throw ApplicationFailure.create({ message: 'later', nextRetryDelay: '700ms' });
    },
    options: { retry: { initialInterval: '60s' } },
  }),

  performs('an activity fails with a benign failure', {
    perform: () => {
      const category = ApplicationFailureCategory.BENIGN;
      throw ApplicationFailure.create({ message: 'as usual', category, nonRetryable: true });
    },
  }),

  performs('an activity throws something that is no error', {
    perform: () => {
      // oxlint-disable-next-line typescript/only-throw-error
      throw 'a word';
    },
    options: { retry: { maximumAttempts: 1 } },
  }),

  performs('an activity says that it is cancelled though nobody has asked', {
    perform: () => Promise.reject(new CancelledFailure('by itself')),
    options: { retry: { maximumAttempts: 2, ...quick } },
  }),

  script('an activity that no worker knows fails', async (stage) => {
    await stage.worker({ other: () => 1 });
    return stage.outcome('performs', { args: [{ retry: { ...quick, maximumAttempts: 2 } }] });
  }),

  script('activities in turn', async (stage) => {
    await stage.worker(easy);
    return stage.outcome('performsInTurn', { args: [4] });
  }),
];

const timeouts = [
  performs('an attempt that takes too long times out', {
    perform: () => delay(3_000),
    options: { startToCloseTimeout: '500ms', retry: { maximumAttempts: 1 } },
  }),

  performs('an attempt that timed out is retried', {
    perform: () => (activityInfo().attempt === 1 ? delay(2_000) : activityInfo().attempt),
    options: { startToCloseTimeout: '700ms', retry: quick },
  }),

  performs('an activity with its retries takes too long', {
    perform: failsUntil(100),
    options: { scheduleToCloseTimeout: '6s', retry: { ...quick, initialInterval: '4s' } },
  }),

  performs('an activity whose next attempt would come too late', {
    perform: failsUntil(100),
    options: { scheduleToCloseTimeout: '4s', retry: { ...quick, initialInterval: '10s' } },
  }),

  performs('an activity runs when its whole time is over', {
    perform: () => delay(3_000),
    options: { scheduleToCloseTimeout: '600ms', startToCloseTimeout: '20s' },
  }),

  performs('an activity that does not beat times out', {
    perform: async () => {
      heartbeat('once');
      await delay(5_000);
    },
    options: { heartbeatTimeout: '2s', retry: { maximumAttempts: 1 } },
  }),

  performs('the next attempt gets the details of the last heartbeat', {
    perform: () => {
      const details: unknown = activityInfo().heartbeatDetails;
      if (activityInfo().attempt > 1) return { details };
      heartbeat({ at: 1 });
      heartbeat({ at: 2 });
      throw new Error('after two heartbeats');
    },
    options: { heartbeatTimeout: '10s', retry: quick },
  }),

  performs('an attempt after a heartbeat timeout gets the details', {
    perform: () => {
      const details: unknown = activityInfo().heartbeatDetails;
      if (activityInfo().attempt > 1) return { details };
      heartbeat({ at: 1 });
      return delay(5_000);
    },
    options: { heartbeatTimeout: '2s', retry: quick },
  }),

  script('an activity that no worker takes in its whole time times out', async (stage) => {
    await stage.worker();
    const options = { taskQueue: stage.id('nobody'), scheduleToCloseTimeout: '500ms' };
    return stage.outcome('performs', { args: [options] });
  }),

  script('an activity that no worker takes in time times out', async (stage) => {
    await stage.worker();
    const options = { taskQueue: stage.id('nobody'), scheduleToStartTimeout: '500ms' };
    return stage.outcome('performs', { args: [options] });
  }),
];

/** What an activity is doing when it is cancelled. */
const STATES = ['running', 'waiting for its next attempt', 'waiting for a worker'] as const;

const cancellations = ['TRY_CANCEL', 'WAIT_CANCELLATION_COMPLETED', 'ABANDON'].flatMap((type) =>
  STATES.map((state) =>
    script(`${type} of an activity that is ${state}`, async (stage) => {
      const started = createGate();
      const isRunning = state === 'running';
      await stage.worker(
        {
          perform: () => {
            started.open();
            if (!isRunning) throw new Error('the first attempt');
            return beats();
          },
        },
        { maxHeartbeatThrottleInterval: '100ms' },
      );
      const isTaken = state !== 'waiting for a worker';
      const options = {
        ...(!isTaken && { taskQueue: stage.id('nobody') }),
        retry: { initialInterval: '60s', maximumAttempts: 2 },
      };
      const run = await stage.start('cancelsActivity', { args: [type, options] });
      await (isTaken
        ? started.opened
        : untilEvent(stage, run.workflowId, ['ACTIVITY_TASK_SCHEDULED']));
      await stage.pass(300);
      await run.signal('go');
      return outcomeOf(run.result());
    }),
  ),
);

const moreCancellations = [
  script('an activity that is cancelled in the task that schedules it', async (stage) => {
    await stage.worker(easy);
    return stage.outcome('cancelsActivityAtOnce');
  }),

  script('an activity that is cancelled and times out', async (stage) => {
    const started = createGate();
    await stage.worker({
      perform: () => {
        started.open();
        return delay(4_000);
      },
    });
    const options = { startToCloseTimeout: '1500ms', retry: { maximumAttempts: 3 } };
    const args = ['WAIT_CANCELLATION_COMPLETED', options];
    const run = await stage.start('cancelsActivity', { args });
    await started.opened;
    await run.signal('go');
    return outcomeOf(run.result());
  }),

  script('an activity that is cancelled and fails is not tried again', async (stage) => {
    const [started, gate] = [createGate(), createGate()];
    await stage.worker({
      perform: async () => {
        started.open();
        await gate.opened;
        throw new Error('failed after the cancellation');
      },
    });
    const args = ['WAIT_CANCELLATION_COMPLETED', { retry: { maximumAttempts: 3 } }];
    const run = await stage.start('cancelsActivity', { args });
    await started.opened;
    await run.signal('go');
    await untilEvent(stage, run.workflowId, ['ACTIVITY_TASK_CANCEL_REQUESTED']);
    gate.open();
    return outcomeOf(run.result());
  }),

  script('an activity that is cancelled and succeeds all the same', async (stage) => {
    const [started, gate] = [createGate(), createGate()];
    await stage.worker({
      perform: async () => {
        started.open();
        await gate.opened;
        return 'all the same';
      },
    });
    const run = await stage.start('cancelsActivity', { args: ['WAIT_CANCELLATION_COMPLETED'] });
    await started.opened;
    await run.signal('go');
    await untilEvent(stage, run.workflowId, ['ACTIVITY_TASK_CANCEL_REQUESTED']);
    gate.open();
    return outcomeOf(run.result());
  }),

  script('an activity ends after its run', async (stage) => {
    const [started, gate, ended] = [createGate(), createGate(), createGate()];
    const seen: unknown[] = [];
    await stage.worker(
      {
        perform: async () => {
          started.open();
          await gate.opened;
          seen.push(await outcomeOf(beats()), Context.current().cancellationDetails);
          ended.open();
        },
      },
      { maxHeartbeatThrottleInterval: '100ms' },
    );
    const run = await stage.start('performs', { args: [{ heartbeatTimeout: '10s' }] });
    await started.opened;
    await run.terminate('enough');
    gate.open();
    await ended.opened;
    return seen;
  }),
];

const described = [
  script('describe tells of an activity that waits for its next attempt', async (stage) => {
    await stage.worker({ perform: failsUntil(9) });
    const args = [{ retry: { initialInterval: '100ms', backoffCoefficient: 600 } }];
    const run = await stage.start('performs', { args });
    await stage.eventually('the second failure', async () =>
      JSON.stringify(await pendingActivities(stage, run.workflowId)).includes('attempt 2 failed'),
    );
    return pendingActivities(stage, run.workflowId);
  }),

  script('describe tells of an activity that runs', async (stage) => {
    const [started, gate] = [createGate(), createGate()];
    await stage.worker({
      perform: async () => {
        heartbeat('details');
        started.open();
        await gate.opened;
      },
    });
    const run = await stage.start('performs', { args: [{ heartbeatTimeout: '10s' }] });
    await started.opened;
    await stage.eventually('the heartbeat', async () =>
      JSON.stringify(await pendingActivities(stage, run.workflowId)).includes('"heartbeats":1'),
    );
    const pending = await pendingActivities(stage, run.workflowId);
    gate.open();
    return { pending, ended: await outcomeOf(run.result()) };
  }),

  script('describe tells of an activity that waits for a worker', async (stage) => {
    await stage.worker();
    const run = await stage.start('performs', { args: [{ taskQueue: stage.id('nobody') }] });
    await untilIdle(stage, run.workflowId);
    return pendingActivities(stage, run.workflowId);
  }),
];

export const activities = [
  ...endings,
  ...timeouts,
  ...cancellations,
  ...moreCancellations,
  ...described,
];
