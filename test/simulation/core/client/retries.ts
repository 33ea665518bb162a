import type { Draw } from '../../time/draw.js';
import { CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, type CallError } from './call-error.js';

/** What core repeats a call by. */
export type CallKind = 'normal' | 'userLongPoll' | 'taskPoll' | 'once';

interface Schedule {
  initialMs: number;
  factor: number;
  mostMs: number;
  elapsedMs: number;
  attempts: number;
}

const NORMAL: Schedule = {
  initialMs: 100,
  factor: 1.7,
  mostMs: 5_000,
  elapsedMs: 10_000,
  attempts: 10,
};
const TASK_POLL: Schedule = {
  initialMs: 200,
  factor: 2,
  mostMs: 10_000,
  elapsedMs: Infinity,
  attempts: Infinity,
};
const THROTTLED: Schedule = { ...TASK_POLL, initialMs: 1_000 };
const JITTER = 0.2;

/** DATA_LOSS, INTERNAL, UNKNOWN, RESOURCE_EXHAUSTED, ABORTED, OUT_OF_RANGE, UNAVAILABLE */
const RETRYABLE: ReadonlySet<number> = new Set([15, 13, 2, 8, 10, 11, 14]);
/** Proxies answer oddly while they start: a poll takes any error for one of those, for this long. */
const POLL_GRACE_MS = 60_000;

/** Decides for one call, try by try, how long to wait before the next one. */
export class Retries {
  readonly #kind: CallKind;
  readonly #schedule: Schedule;
  readonly #startedAt: number;
  readonly #draw: Draw;
  #delays = 0;
  #throttledDelays = 0;

  constructor(kind: CallKind, startedAt: number, draw: Draw) {
    this.#kind = kind;
    this.#schedule = kind === 'taskPoll' ? TASK_POLL : NORMAL;
    this.#startedAt = startedAt;
    this.#draw = draw;
  }

  /** @returns milliseconds, or undefined where the error is final */
  next(error: CallError, attempt: number, now: number): number | undefined {
    if (this.#kind === 'once' || attempt >= this.#schedule.attempts) return undefined;
    if (isTooLarge(error)) return undefined;
    const isPoll = this.#kind === 'taskPoll';
    const isEmptyPoll = isPoll && (error.code === CANCELLED || error.code === DEADLINE_EXCEEDED);
    if (!RETRYABLE.has(error.code) && !isEmptyPoll) {
      return isPoll && now - this.#startedAt <= POLL_GRACE_MS ? this.#schedule.mostMs : undefined;
    }
    const delay = this.#delay(this.#schedule, this.#delays);
    this.#delays += 1;
    if (now - this.#startedAt + delay > this.#schedule.elapsedMs) return undefined;
    if (error.code !== RESOURCE_EXHAUSTED) return delay;
    const throttled = this.#delay(THROTTLED, this.#throttledDelays);
    this.#throttledDelays += 1;
    return Math.max(delay, throttled);
  }

  #delay({ initialMs, factor, mostMs }: Schedule, before: number): number {
    const base = Math.min(mostMs, initialMs * factor ** before);
    return base * (1 + JITTER * (2 * this.#draw.fraction() - 1));
  }
}

function isTooLarge({ code, details }: CallError): boolean {
  return (
    code === RESOURCE_EXHAUSTED &&
    (details.startsWith('grpc: received message') ||
      details.startsWith('grpc: message after decompression larger than max'))
  );
}
