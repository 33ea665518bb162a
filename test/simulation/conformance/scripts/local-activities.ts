import { setTimeout as delay } from 'node:timers/promises';

import { activityInfo, ApplicationFailure, Context } from '@temporalio/activity';

import { createGate, easy, outcomeOf, replay, script, type Script } from './kit.js';

interface Performed {
  perform: (...args: never[]) => unknown;
  options?: Record<string, unknown>;
  workflowTaskTimeout?: '3s';
}

/** A run that performs one local activity. */
function performs(name: string, { perform, options = {}, ...others }: Performed): Script {
  return script(name, async (stage) => {
    await stage.worker({ perform });
    return stage.outcome('performsLocally', { args: [options], ...others });
  });
}

function failsUntil(attempt: number) {
  return () => {
    const info = activityInfo();
    if (info.attempt < attempt) throw new Error(`attempt ${info.attempt} failed`);
    return info.attempt;
  };
}

const retry = { initialInterval: '50ms', backoffCoefficient: 1 };

const ended = [
  performs('a local activity succeeds', { perform: (what: string) => ({ what }) }),

  performs('a local activity knows what it is', {
    perform: () => {
      const { activityId, activityType, attempt, isLocal, workflowType } = activityInfo();
      return { activityId, activityType, attempt, isLocal, workflowType };
    },
  }),

  performs('a local activity fails', {
    perform: () => {
      throw ApplicationFailure.create({ message: 'no', type: 'No', nonRetryable: true });
    },
  }),

  performs('a local activity is retried within its task', {
    perform: failsUntil(3),
    options: { retry },
  }),

  performs('a local activity fails when its attempts are used up', {
    perform: failsUntil(9),
    options: { retry: { ...retry, maximumAttempts: 2 } },
  }),

  performs('a local activity fails with a type that must not be retried', {
    perform: () => {
      throw ApplicationFailure.create({ message: 'no', type: 'Listed' });
    },
    options: { retry: { ...retry, nonRetryableErrorTypes: ['Listed'] } },
  }),

  performs('a local activity that takes too long times out', {
    perform: () => Context.current().sleep(60_000),
    options: { startToCloseTimeout: '300ms', retry: { maximumAttempts: 1 } },
  }),

  performs('a local activity waits for its next attempt by a timer', {
    perform: failsUntil(2),
    options: { retry: { initialInterval: '800ms' }, localRetryThreshold: '200ms' },
  }),

  performs('a long local activity keeps its task alive', {
    perform: async () => {
      await delay(5_500);
      return 'late';
    },
    workflowTaskTimeout: '3s',
  }),
];

const cancelled = ['TRY_CANCEL', 'WAIT_CANCELLATION_COMPLETED', 'ABANDON'].map((type) =>
  script(`${type} of a local activity that runs`, async (stage) => {
    const end = createGate();
    const seen: unknown[] = [];
    await stage.worker({
      perform: async () => {
        const { cancelled } = Context.current();
        const result = await outcomeOf(Promise.race([cancelled, delay(4_000)]));
        seen.push(result);
        end.open();
        await cancelled;
      },
    });
    const run = await stage.start('cancelsLocalActivity', {
      args: [type],
      workflowTaskTimeout: '3s',
    });
    const result = await outcomeOf(run.result());
    if (type !== 'ABANDON') await end.opened;
    return { result, seen };
  }),
);

export const localActivities = [
  ...ended,
  ...cancelled,

  script('a local activity is not performed again when its run is replayed', async (stage) => {
    let count = 0;
    await stage.worker(
      {
        perform: (what: string) => {
          count += 1;
          return `${what} ${count}`;
        },
      },
      { maxCachedWorkflows: 0 },
    );
    const result = await stage.outcome('usesLocals');
    return { result, count };
  }),

  script(
    'two local activities at once do not replay when the first one to end goes on longer',
    async (stage) => {
      const quickEnded = createGate();
      await stage.worker({
        perform: async (what: string) => {
          if (what === 'slow') await quickEnded.opened;
          if (what === 'quick') setImmediate(quickEnded.open);
          return what;
        },
      });
      const run = await stage.start('usesLocalsAtOnce');
      await run.result();
      // The core writes its own structures around this.
      const told = JSON.stringify(await replay(stage, run.workflowId));
      return /\[TMPRL1100][^"\\]*/.exec(told)?.[0] ?? told;
    },
  ),

  script('a local activity that no worker knows fails', async (stage) => {
    await stage.worker({ other: easy.perform });
    return stage.outcome('performsLocally', { args: [{}] });
  }),
];
