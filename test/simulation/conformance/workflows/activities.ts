import {
  CancellationScope,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
  type ActivityCancellationType,
  type ActivityOptions,
  type LocalActivityOptions,
} from '@temporalio/workflow';

import { outcomeOf } from '../explain-error.js';
import { go } from './basics.js';
import type { Acts } from './proxies.js';

const once = { maximumAttempts: 1 };

/** Performs an activity with these options, and says how it ended. */
export async function performs(options: ActivityOptions, ...args: unknown[]): Promise<unknown> {
  const { perform } = proxyActivities<Acts>({ startToCloseTimeout: '20s', ...options });
  return outcomeOf(perform('it', ...args));
}

export async function performsLocally(
  options: LocalActivityOptions,
  ...args: unknown[]
): Promise<unknown> {
  const { perform } = proxyLocalActivities<Acts>({ startToCloseTimeout: '20s', ...options });
  return outcomeOf(perform('it', ...args));
}

/** Performs activities one after the other. */
export async function performsInTurn(count: number): Promise<unknown> {
  const { perform } = proxyActivities<Acts>({ startToCloseTimeout: '20s', retry: once });
  const results: unknown[] = [];
  for (let at = 0; at < count; at += 1) results.push(await perform(`${at}`));
  return results;
}

/** Performs activities of these priorities, all at once; tells nothing of their order. */
export async function performsAtOnce(priorityKeys: number[], taskQueue?: string): Promise<number> {
  const results = priorityKeys.map((priorityKey) => {
    const priority = { priorityKey };
    const { perform } = proxyActivities<Acts>({
      startToCloseTimeout: '20s',
      priority,
      ...(taskQueue !== undefined && { taskQueue }),
    });
    return perform(`${priorityKey}`);
  });
  await Promise.all(results);
  return results.length;
}

/** Cancels the activity when it is told to. */
export async function cancelsActivity(
  type: ActivityCancellationType,
  options: ActivityOptions = {},
): Promise<unknown> {
  const { perform } = proxyActivities<Acts>({
    startToCloseTimeout: '20s',
    heartbeatTimeout: '15s',
    cancellationType: type,
    ...options,
  });
  let isTold = false;
  setHandler(go, () => {
    isTold = true;
  });
  const scope = new CancellationScope();
  const ended = outcomeOf(scope.run(() => perform('it')));
  await condition(() => isTold);
  scope.cancel();
  const result = await ended;
  // What comes after the cancellation shows in the history too.
  await sleep(700);
  return result;
}

/** Schedules an activity and cancels it in one task. */
export async function cancelsActivityAtOnce(): Promise<unknown> {
  const { perform } = proxyActivities<Acts>({ startToCloseTimeout: '20s' });
  const scope = new CancellationScope();
  const ended = outcomeOf(scope.run(() => perform('it')));
  scope.cancel();
  return ended;
}

/** Cancels the local activity after a timer. */
export async function cancelsLocalActivity(type: ActivityCancellationType): Promise<unknown> {
  const { perform } = proxyLocalActivities<Acts>({
    startToCloseTimeout: '20s',
    cancellationType: type,
  });
  const scope = new CancellationScope();
  const ended = outcomeOf(scope.run(() => perform('it')));
  await sleep(300);
  scope.cancel();
  return ended;
}

/** Holds the workflow task for as long as the local activity takes, then waits. */
export async function holdsItsTask(): Promise<unknown> {
  const { perform } = proxyLocalActivities<Acts>({ startToCloseTimeout: '20s' });
  const got: unknown[] = [];
  setHandler(go, (value) => {
    got.push(value);
  });
  got.push(await perform('hold'));
  const before = [...got];
  await condition(() => got.length >= 3);
  return { before, got };
}

/** Performs local activities before and after timers. */
export async function usesLocals(): Promise<unknown> {
  const { perform } = proxyLocalActivities<Acts>({ startToCloseTimeout: '20s' });
  const first = await Promise.all([perform('a'), sleep(50)]);
  const second = await perform('b');
  await sleep(50);
  return [first, second, await perform('c'), await perform('d')];
}

/** Two local activities at once; more promises follow the one that may end first. */
export async function usesLocalsAtOnce(): Promise<void> {
  const { perform: performLocally } = proxyLocalActivities<Acts>({ startToCloseTimeout: '20s' });
  const { perform } = proxyActivities<Acts>({ startToCloseTimeout: '20s', retry: once });
  const slow = performLocally('slow').then(() => sleep(2_000));
  const quick = performLocally('quick')
    .then((told) => told)
    .then((told) => told)
    .then((told) => told)
    .then((told) => perform(String(told)));
  await Promise.all([slow, quick]);
}
