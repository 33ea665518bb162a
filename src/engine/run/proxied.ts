import type { proxyActivities } from '@temporalio/workflow';

import type { StampedReads } from '../activities/stamp-reads.js';
import type { Stamped } from '../core/product.js';
import { readTime, type ReadTimes } from './read-times.js';

/** What only `attemptOnce` gives: until when a worker may take a change. */
export interface Within {
  scheduleToStartTimeout: number;
}

/** Calls that change something. None goes out without the options of its attempt. */
export type Sends<A> = {
  [K in keyof A]: A[K] extends (input: infer I) => Promise<infer R>
    ? (options: Within & { summary?: string }, input: I) => Promise<R>
    : never;
};

/** Activities as a workflow calls them. */
export type Proxied<G> = ReturnType<typeof proxyActivities<G>>;

/** The parts of a proxied activity that are passed on. */
interface Activity {
  (...args: readonly unknown[]): Promise<unknown>;
  executeWithOptions: (options: unknown, args: readonly unknown[]) => Promise<unknown>;
}

function isActivity(value: unknown): value is Activity {
  return typeof value === 'function';
}

/** The same activities, each with another call. */
function mapped(activities: object, change: (activity: Activity) => unknown): object {
  return new Proxy(activities, {
    get(target, name) {
      const call: unknown = Reflect.get(target, name);
      return isActivity(call) ? change(call) : call;
    },
  });
}

/** Each call goes through `around`. */
function wrapped(activity: Activity, around: (call: () => Promise<unknown>) => Promise<unknown>) {
  const wrap = (...args: readonly unknown[]) => around(() => activity(...args));
  const executeWithOptions = (options: unknown, args: readonly unknown[]) =>
    around(() => activity.executeWithOptions(options, args));
  return Object.assign(wrap, { executeWithOptions });
}

/** Makes a call, and parks the run while the call is blocked; see `parkWhileBlocked`. */
export type Persist = <T>(call: () => Promise<T>) => Promise<T>;

/** The same activities, each call through `persist`. */
export function withPersistence<A extends object>(activities: A, persist: Persist): A;
export function withPersistence(activities: object, persist: Persist): object {
  return mapped(activities, (activity) => wrapped(activity, (call) => persist(call)));
}

/** The reads without their stamps, which `times` takes. */
export function withTimes<G>(reads: Proxied<StampedReads<G>>, times: ReadTimes): Proxied<G>;
export function withTimes(reads: object, times: ReadTimes): object {
  return mapped(reads, (activity) =>
    wrapped(activity, async (call) => {
      const asked = Date.now();
      const answer = await call();
      if (!isStamped(answer)) throw new TypeError('a read came without its time');
      const { result, readAt } = answer;
      times.note(result, readTime(readAt, { asked, heard: Date.now() }));
      return result;
    }),
  );
}

function isStamped(answer: unknown): answer is Stamped<unknown> {
  // JSON has no `undefined`: an answer may have no result.
  return answer instanceof Object && 'readAt' in answer;
}

/** Calls that take their options first, so that none is forgotten. Each names the run that asks; see `refuseInResetRuns`. */
export function sends<G>(activities: Proxied<G>, writer: () => string): Sends<G>;
export function sends(activities: object, writer: () => string): object {
  return mapped(
    activities,
    (activity) => (options: object, input: object) =>
      activity.executeWithOptions(options, [{ ...input, writer: writer() }]),
  );
}
