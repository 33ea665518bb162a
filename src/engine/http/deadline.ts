import { CancelledFailure } from '@temporalio/common';

/** The server sends no other reason when the run asks for the end of an activity. */
const REQUESTED = 'CANCELLED';

/** Whether the run has asked for the end of the activity. A worker that stops, or a run that is gone, does not. */
export function isCancelRequest({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof CancelledFailure && reason.message === REQUESTED;
}

/** What is thrown where a worker stops while something goes on. */
export function isShutdown(error: unknown): boolean {
  return error instanceof CancelledFailure && error.message === 'WORKER_SHUTDOWN';
}

/** Makes a change with a signal that ignores the request: its run waits for the answer, so nothing cuts it short. */
export async function ignoringCancelRequest<T>(
  cancelled: AbortSignal,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const pass = (): void => {
    if (!isCancelRequest(cancelled)) controller.abort(cancelled.reason);
  };
  cancelled.addEventListener('abort', pass);
  if (cancelled.aborted) pass();
  try {
    return await act(controller.signal);
  } finally {
    // An activity may make many changes.
    cancelled.removeEventListener('abort', pass);
  }
}

/** Thrown at the end of the time. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

export interface DeadlineOptions {
  ms: number;
  /** Aborts when the caller is cancelled. */
  cancelled: AbortSignal;
}

/**
 * Owns the time of a call. Its timer holds everything that it needs. In Node the links between a
 * `Request`, its signal and the body of its answer are weak: a garbage collection may cut them. So no
 * wait may rely on `signal` alone.
 */
export interface Deadline {
  /** Aborts at the end of the time or when the caller is cancelled. Frees sockets and streams. */
  signal: AbortSignal;
  /** Rejects at the end of the time with `OutOfTime`, and when the caller is cancelled with its reason. */
  race<T>(promise: Promise<T>): Promise<T>;
  /** Stops the clock. */
  end(): void;
}

export function startDeadline({ ms, cancelled }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  let stop: (reason: Error) => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = (reason) => {
      reject(reason);
      controller.abort(reason);
    };
  });
  // The time may end while nobody waits.
  stopped.catch(() => undefined);
  const cancel = (): void => {
    stop(toError(cancelled.reason));
  };
  const timer = setTimeout(() => {
    stop(new OutOfTime(`No end within ${ms} ms`));
  }, ms);
  cancelled.addEventListener('abort', cancel);
  if (cancelled.aborted) cancel();
  return {
    signal: controller.signal,
    race: (promise) => Promise.race([promise, stopped]),
    end: () => {
      clearTimeout(timer);
      cancelled.removeEventListener('abort', cancel);
    },
  };
}

/** Runs `act` within a deadline of its own. */
export async function withDeadline<T>(
  options: DeadlineOptions,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  options.cancelled.throwIfAborted();
  const deadline = startDeadline(options);
  try {
    return await deadline.race(act(deadline.signal));
  } finally {
    deadline.end();
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new DOMException(String(reason), 'AbortError');
}

/** A longer wait counts as a mistake of the server. */
const MAX_WAIT_MS = 10 * 60_000;

const DELTA_SECONDS = /^\d+(\.\d+)?$/;
const HTTP_DATE = /^[A-Za-z]{3,9}, .* GMT$/;

/**
 * Milliseconds to wait according to a Retry-After header: delta seconds or an HTTP date (RFC 9110
 * §10.2.3). At most ten minutes. `undefined` when the header is missing, malformed or in the past:
 * then the usual backoff applies instead of an immediate repeat.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = (header ?? '').trim();
  const waitMs = DELTA_SECONDS.test(text)
    ? Number(text) * 1000
    : HTTP_DATE.test(text)
      ? Date.parse(text) - nowMs
      : Number.NaN;
  return waitMs > 0 ? Math.min(waitMs, MAX_WAIT_MS) : undefined;
}

/** When an answer was written, by the clock that has written its other times too: that of this machine may be off. */
export function writtenAt(date: string | null | undefined): number {
  return Date.parse(date ?? '') || Date.now();
}

/** Up to a fifth longer, so that calls with the same Retry-After do not return together. */
export function addJitter(waitMs: number, random: number): number {
  return Math.round(waitMs * (1 + random * 0.2));
}
