import { ApplicationFailure, type proxyActivities } from '@temporalio/workflow';

import type { StampedReads } from '../activities/registered-activities.js';
import { FailureType } from '../core/failures.js';
import type { AnsweredAndRead, ReadsOfChange } from '../core/news.js';
import type { Stamped } from '../core/product.js';
import { readTime, type ReadTimes } from './read-times.js';
import type { ReadsAfter, ShownAfter } from './reads-after.js';

/** What only `attemptOnce` gives: until when a worker may take a change. */
export interface Within extends ReadsOfChange {
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
function mapped(activities: object, change: (activity: Activity, name: string) => unknown): object {
  return new Proxy(activities, {
    get(target, name) {
      const call: unknown = Reflect.get(target, name);
      return isActivity(call) ? change(call, String(name)) : call;
    },
  });
}

type Around = (call: () => Promise<unknown>, input: unknown) => Promise<unknown>;

/** Each call goes through `around`. */
function wrapped(activity: Activity, around: Around) {
  const wrap = (input: unknown) => around(() => activity(input), input);
  const executeWithOptions = (options: unknown, args: readonly unknown[]) =>
    around(() => activity.executeWithOptions(options, args), args[0]);
  return Object.assign(wrap, { executeWithOptions });
}

/** Makes a call as often as it takes; see `parkWhileBlocked` and `untilUnderstood`. */
export type Persist = <T>(call: () => Promise<T>) => Promise<T>;

/** The same activities, each call through `persist`. */
export function withPersistence<A extends object>(activities: A, persist: Persist): A;
export function withPersistence(activities: object, persist: Persist): object {
  return mapped(activities, (activity) => wrapped(activity, (call) => persist(call)));
}

interface Answer extends Stamped<unknown> {
  /** When the run has asked for it. */
  asked: number;
}

async function askNow(call: () => Promise<unknown>): Promise<Answer> {
  const asked = Date.now();
  const answer = await call();
  if (!isStamped(answer)) throw new TypeError('a read came without its time');
  return { ...answer, asked };
}

/** What the activity of the last change has read. */
function answerAfter({ shown, asked }: ShownAfter): Answer {
  if (!('missing' in shown)) return { result: shown.result, readAt: shown.readAt, asked };
  const { message, details } = shown.missing;
  throw ApplicationFailure.nonRetryable(message, FailureType.notFound, ...details);
}

/** The reads without their stamps, which `times` takes. */
export function withTimes<G>(reads: Proxied<StampedReads<G>>, known: Known): Proxied<G>;
export function withTimes(reads: object, { times, after }: Known): object {
  return mapped(reads, (activity, name) =>
    wrapped(activity, async (call, input) => {
      const known = after.take({ read: name, input });
      const answer = async () => (known === undefined ? askNow(call) : answerAfter(known));
      const { result, readAt, asked } = await answer().catch((error: unknown) => {
        times.noteRead(undefined);
        throw error;
      });
      times.note(result, readTime(readAt, { asked, heard: Date.now() }));
      times.noteRead({
        name,
        input,
        result,
        untilNews: (options, news) => activity.executeWithOptions(options, [input, news]),
      });
      return result;
    }),
  );
}

/** What a run knows of its reads. */
interface Known {
  times: ReadTimes;
  after: ReadsAfter;
}

/** Nobody knows when long reads were made, and none is repeated until it shows something else. */
export function withoutTimes<A extends object>(reads: A, times: ReadTimes): A;
export function withoutTimes(reads: object, times: ReadTimes): object {
  return mapped(reads, (activity) =>
    wrapped(activity, (call) => {
      times.noteRead(undefined);
      return call();
    }),
  );
}

function isStamped(answer: unknown): answer is Stamped<unknown> {
  // JSON has no `undefined`: an answer may have no result.
  return answer instanceof Object && 'readAt' in answer;
}

/** Calls that take their options first, so that none is forgotten. Each names the run that asks; see `refuseInResetRuns`. */
export function sends<G>(activities: Proxied<G>, asking: Asking): Sends<G>;
export function sends(activities: object, { writer, after }: Asking): object {
  return mapped(
    activities,
    (activity) =>
      async ({ first, then = [], ...options }: Partial<Within>, input: object) => {
        const reads = { ...(first && { first }), ...(then.length > 0 && { then }) };
        const asked = Date.now();
        const isReading = first !== undefined || then.length > 0;
        const args = [{ ...input, writer: writer() }, ...(isReading ? [reads] : [])];
        const answer = await activity.executeWithOptions(options, args).finally(() => {
          after.forget();
        });
        if (!isWithReads(answer)) return answer;
        after.note(then, answer.shown, asked);
        return answer.answer;
      },
  );
}

export interface Asking extends Pick<Known, 'after'> {
  /** The Run Id of the run that asks, as its history knows it. */
  writer: () => string;
}

/** A worker of an older version does not read. */
function isWithReads(answer: unknown): answer is AnsweredAndRead {
  return answer instanceof Object && 'shown' in answer;
}
