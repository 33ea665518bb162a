import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';

import { FailureType } from '../core/failures.js';
import { isoOf } from '../core/times.js';
import { withHeartbeat } from '../activities/attempt.js';
import type { ApiClient, ApiRequest } from './api-client.js';
import { timeLeft, type CallContext } from './call-context.js';

/** Failures of a read that may pass by themselves. An answer of unknown form that lasts needs a person. */
const PASSING: ReadonlySet<string> = new Set([
  FailureType.serviceUnavailable,
  FailureType.rateLimited,
  FailureType.unexpectedResponse,
]);

/** How long one read may fail before its failure ends the attempt: other calls need the slot too. */
const PATIENCE_MS = 60_000;
/** Answers of unknown form in a row that may pass. */
const MAX_ODD = 3;
/** An exchange and what follows it end before the attempt does. */
const NEEDED_MS = 20_000;
/** A lone failure is repeated at its next turn; these are for the second one in a row and those after it. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Runs an activity that makes several reads. A read that fails is repeated in place, so that the answers
 * before it are not lost. Heartbeats.
 */
export function withPatientReads<T>(
  api: ApiClient,
  act: (reads: ApiClient) => Promise<T>,
): Promise<T> {
  const isRepeated = Context.current().info.attempt > 1;
  return withHeartbeat(() => readPatiently(api, act, { isRepeated }));
}

export interface Patience {
  /** The reads give up when none was answered for this long after the first failing one had begun; default: never. */
  unansweredMs?: number;
  /** An attempt before this one has failed: of reads side by side one goes ahead, and the others only if it is answered. */
  isRepeated?: boolean;
}

/** The same outside of an activity, and without a heartbeat. */
export async function readPatiently<T>(
  api: ApiClient,
  act: (reads: ApiClient) => Promise<T>,
  { unansweredMs = Infinity, isRepeated = false }: Patience = {},
): Promise<T> {
  const scope: Scope = {
    answered: 0,
    inFlight: 0,
    isOver: false,
    unansweredMs,
    isRepeated,
    failingSince: undefined,
    ahead: undefined,
    onSettled: [],
  };
  try {
    return await act({
      ...api,
      request: (request) =>
        request.method === 'GET' ? readUntilAnswered(api, scope, request) : api.request(request),
    });
  } finally {
    scope.isOver = true;
    wake(scope);
  }
}

/** What is known about the reads of one attempt. */
interface Scope {
  answered: number;
  inFlight: number;
  /** Nobody waits for its reads any more. */
  isOver: boolean;
  unansweredMs: number;
  isRepeated: boolean;
  /** The read that goes ahead of the others. */
  ahead: Promise<{ error?: unknown }> | undefined;
  /** Called as soon as a read has ended, or the attempt. */
  onSettled: (() => void)[];
  /** When the first read began that has failed since the last answer. */
  failingSince: number | undefined;
}

async function readUntilAnswered<T>(
  api: ApiClient,
  scope: Scope,
  request: ApiRequest<T>,
): Promise<T> {
  const context = api.callContext();
  let failures = 0;
  let since = 0;
  for (;;) {
    const sentAt = performance.now();
    const outcome = await behindFirst(scope, () => settle(api, scope, request));
    const { error } = outcome;
    if (failures > 0 && !isPassing(error) && !scope.isOver) context.onWait?.(undefined);
    if ('answer' in outcome) return outcome.answer;
    failures += 1;
    if (failures === 1) since = performance.now();
    scope.failingSince ??= sentAt;
    await untilAnyIsAnswered(scope);
    const failingMs = performance.now() - since;
    const waitMs = repeatAfterMs(error, { failures, failingMs, leftMs: timeLeft(context) });
    if (waitMs === undefined || !isWorthIt(scope, waitMs)) throw error;
    tell(context, error, { failures, failingMs, waitMs });
    await pause(waitMs, context.cancelled);
    if (!isWorthIt(scope)) throw error;
  }
}

type Outcome<T> = { answer: T; error?: undefined } | { error: unknown };

/** While the API is away, each attempt asks it once: what it says to the first of the reads it says to all. */
async function behindFirst<T>(scope: Scope, send: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const { ahead } = scope;
  if (ahead !== undefined) {
    const { error } = await ahead;
    // An answer of unknown form is one, and says nothing of the other reads.
    const isAway = isPassing(error) && error.type !== FailureType.unexpectedResponse;
    return isAway ? { error } : send();
  }
  if (!scope.isRepeated || scope.answered > 0) return send();
  const sent = send();
  scope.ahead = sent;
  return sent.finally(() => {
    scope.ahead = undefined;
  });
}

/** What failed waits for the reads beside it: when none of them is answered either, nothing is repeated. */
async function untilAnyIsAnswered(scope: Scope): Promise<void> {
  while (scope.answered === 0 && scope.inFlight > 0 && !scope.isOver) {
    await new Promise<void>((resolve) => scope.onSettled.push(resolve));
  }
}

function wake({ onSettled }: Scope): void {
  for (const resolve of onSettled.splice(0)) resolve();
}

async function settle<T>(
  api: ApiClient,
  scope: Scope,
  request: ApiRequest<T>,
): Promise<Outcome<T>> {
  scope.inFlight += 1;
  try {
    const answer = await api.request(request);
    scope.answered += 1;
    scope.failingSince = undefined;
    return { answer };
  } catch (error) {
    // A definite no is an answer: a missing key, for example.
    if (!isPassing(error)) scope.answered += 1;
    return { error };
  } finally {
    scope.inFlight -= 1;
    wake(scope);
  }
}

/**
 * As long as an attempt has no answer, it has nothing to lose: its failure frees the slot at once, as that
 * of a single read does.
 */
function isWorthIt(
  { answered, inFlight, isOver, unansweredMs, failingSince = Infinity }: Scope,
  waitMs = 0,
): boolean {
  const isInTime = performance.now() + waitMs - failingSince <= unansweredMs;
  return !isOver && isInTime && (answered > 0 || inFlight > 0);
}

function isPassing(error: unknown): error is ApplicationFailure {
  return error instanceof ApplicationFailure && PASSING.has(error.type ?? '');
}

export interface FailingRead {
  /** Failures in a row, from 1. */
  failures: number;
  /** Since the first of them. */
  failingMs: number;
  /** Until the attempt is over. */
  leftMs: number;
}

/**
 * Milliseconds until a failed read is repeated in place; `undefined` when it is not. Obeys the time that
 * the API or the breaker has set.
 */
export function repeatAfterMs(
  error: unknown,
  { failures, failingMs, leftMs }: FailingRead,
  random = Math.random(),
): number | undefined {
  if (!isPassing(error)) return undefined;
  if (error.type === FailureType.unexpectedResponse && failures > MAX_ODD) return undefined;
  const { nextRetryDelay: asked } = error;
  const waitMs = typeof asked === 'number' ? asked : backoffMs(failures, random);
  const isTooLong = failingMs + waitMs > PATIENCE_MS || waitMs + NEEDED_MS > leftMs;
  return isTooLong ? undefined : waitMs;
}

function backoffMs(failures: number, random: number): number {
  if (failures === 1) return 0;
  const most = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 2), LONGEST_PAUSE_MS);
  return most * (0.5 + random / 2);
}

/** The text is that of the failure that Temporal would show. */
function tell(
  context: CallContext,
  error: unknown,
  { failures, failingMs, waitMs }: Omit<FailingRead, 'leftMs'> & { waitMs: number },
): void {
  if (!(error instanceof ApplicationFailure)) return;
  const now = Date.now();
  context.onWait?.({
    waitingFor: 'answer',
    failure: { type: error.type ?? '', message: error.message },
    failures,
    since: isoOf(now - failingMs),
    nextAt: isoOf(now + waitMs),
  });
}

/** Ends at once with the reason of a cancellation, which the SDK recognises. */
export async function pause(ms: number, cancelled: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: cancelled, ref: false }).catch(() => undefined);
  cancelled.throwIfAborted();
}
