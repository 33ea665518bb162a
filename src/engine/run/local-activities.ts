import {
  ActivityFailure,
  ApplicationFailure,
  proxyLocalActivities,
  sleep,
  TimeoutFailure,
} from '@temporalio/workflow';

/**
 * Local activities of which each is tried once in a workflow task, and again after a timer. The SDK would try it again in the same
 * task, and prolong that by others: what has happened meanwhile, a replay learns together with the answer. What follows would
 * come in another order than it did, and the run could never go on.
 */
export function localActivities<A extends object>(): ReturnType<typeof proxyLocalActivities<A>> {
  const once = proxyLocalActivities<A>({
    scheduleToCloseTimeout: '5 seconds',
    retry: { maximumAttempts: 1 },
  });
  return new Proxy(once, {
    get(target, name) {
      const activity: unknown = Reflect.get(target, name);
      if (typeof activity !== 'function') return activity;
      return (...args: unknown[]) => {
        const call = (): Promise<unknown> => {
          const asked: unknown = Reflect.apply(activity, undefined, args);
          return Promise.resolve(asked);
        };
        return untilAnswered(String(name), call);
      };
    },
  });
}

function untilAnswered(name: string, call: () => Promise<unknown>, tries = 0): Promise<unknown> {
  return call().catch(async (error: unknown) => {
    if (!isWorthAnotherTry(error)) throw error;
    await sleep(pauseMs(tries), { summary: `${name}: next try` });
    return untilAnswered(name, call, tries + 1);
  });
}

function isWorthAnotherTry(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure) return cause.nonRetryable !== true;
  return cause instanceof TimeoutFailure;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

function pauseMs(tries: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS);
}
