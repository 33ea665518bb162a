import { Context } from '@temporalio/activity';
import { performance } from 'node:perf_hooks';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

import { jsonByteLength } from '../core/text.js';
import type { HeartbeatDetails } from '../schema/heartbeat-details.js';

/** What this process knows about the attempt of an activity. */
export interface Attempt {
  /** By the monotonic clock. An attempt begins with its first call or its first heartbeat. */
  readonly startedAt: number;
  /** The `serverTime` of its first request; missing when an earlier attempt has sent a part. */
  sentAt: number | undefined;
  /** Called when a request goes out. */
  readonly noteSent: () => void;
  /** Missing while it waits for nothing. */
  waiting: HeartbeatDetails | undefined;
  /** What the next attempt goes on from: at first what the attempt before has left. */
  progress: () => unknown;
}

const attempts = new WeakMap<Context, Attempt>();

/** How far the clock of the Temporal server is ahead of the monotonic one of this process, at least. */
let serverAheadMs = -Infinity;

/**
 * The clock of the Temporal server, in milliseconds since the epoch: never ahead of it, and behind it by the time in
 * which the quickest attempt so far was handed to this process. The clock of this machine may be hours off.
 */
export function serverTime(): number {
  return Math.floor(serverAheadMs + performance.now());
}

/** As a process that has just begun: what another server said of its time counts no more. For simulations, which are many in one process. */
export function forgetServerTime(): void {
  serverAheadMs = -Infinity;
}

/** The same, or that of this machine in a process that has heard nothing of the server yet. */
export function timeOfDay(): number {
  return Number.isFinite(serverAheadMs) ? serverTime() : Date.now();
}

export function attemptOf(context: Context): Attempt {
  const known = attempts.get(context);
  if (known !== undefined) return known;
  const left = leftBy(context.info.heartbeatDetails);
  const startedAt = performance.now();
  const aheadMs = context.info.currentAttemptScheduledTimestampMs - startedAt;
  serverAheadMs = Math.max(serverAheadMs, aheadMs);
  const attempt: Attempt = {
    startedAt,
    sentAt: undefined,
    noteSent: () => {
      if (left === undefined) attempt.sentAt ??= serverTime();
    },
    waiting: undefined,
    progress: () => left,
  };
  attempts.set(context, attempt);
  return attempt;
}

/**
 * The time of the run, in milliseconds since the epoch: by the clock of the Temporal server, which gives
 * workflows their time. The clock of this machine may be hours off.
 */
export function timeOfRun(context: Context): number {
  const { startedAt } = attemptOf(context);
  return context.info.currentAttemptScheduledTimestampMs + (performance.now() - startedAt);
}

const beatSchema = z.object({ progress: z.unknown() });

function leftBy(details: unknown): unknown {
  return beatSchema.safeParse(details).data?.progress;
}

/**
 * The one heartbeat of all activities: the server keeps the details of the last one only, so each has
 * to carry the progress.
 */
export function beat(context: Context): void {
  context.heartbeat(detailsOf(context));
}

/** What a heartbeat of the activity carries now; `undefined` when it has nothing to say. */
export function detailsOf(context: Context): object | undefined {
  const { waiting, progress } = attemptOf(context);
  const reached = progress();
  return reached === undefined ? waiting : { ...waiting, progress: reached };
}

/** Used when the workflow sets no heartbeat timeout. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** A run that cannot go on says why within this time. */
const SAY_WITHIN_MS = 10_000;

/**
 * Heartbeats while `act` runs: the server learns early that a worker died, and the activity that it
 * was cancelled.
 *
 * @param waiting what `act` waits for, where that is not a call
 * @param share of the timeout that the workflow sets, after which it heartbeats
 */
export async function withHeartbeat<T>(
  act: () => Promise<T>,
  waiting?: () => HeartbeatDetails | undefined,
  share = 1 / 3,
): Promise<T> {
  const context = Context.current();
  const { heartbeatTimeoutMs = DEFAULT_TIMEOUT_MS } = context.info;
  const attempt = attemptOf(context);
  const everyMs = heartbeatTimeoutMs * share;
  const lookMs = Math.min(everyMs, SAY_WITHIN_MS);
  let dueAt = performance.now() + everyMs;
  const look = (): void => {
    const said = attempt.waiting;
    if (waiting !== undefined) attempt.waiting = waiting();
    const isDue = performance.now() + lookMs / 2 >= dueAt;
    if (!isDue && isDeepStrictEqual(attempt.waiting, said)) return;
    dueAt = performance.now() + everyMs;
    beat(context);
  };
  // A heartbeat may be rare; what is new is said soon.
  const timer = setInterval(look, lookMs);
  try {
    return await act();
  } catch (error) {
    // The next attempt goes on from here, not from the last regular heartbeat.
    if (attempt.progress() !== undefined) beat(context);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** The server keeps the details with the open call. A larger progress stays where it was. */
const MAX_BYTES = 16_384;

/**
 * What an earlier attempt of this call has reached; `undefined` when there is none, or when a worker of
 * another version wrote it: then the call begins anew.
 */
export function earlierProgress<T>(schema: z.ZodType<T>): T | undefined {
  return schema.safeParse(attemptOf(Context.current()).progress()).data;
}

/** From now on, each heartbeat carries what `reached` returns. It must hold no secret: Temporal shows it. */
export function keepProgress(reached: () => unknown): void {
  const attempt = attemptOf(Context.current());
  let last = attempt.progress();
  attempt.progress = () => {
    const progress = reached();
    if (jsonByteLength(progress) <= MAX_BYTES) last = progress;
    return last;
  };
}
