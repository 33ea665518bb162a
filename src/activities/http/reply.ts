import type { ApiFailure } from './api-failure.js';

/** What came of a call, as far as gates and breakers judge it: an answer, or the reason why there is none. */
export type Reply = Answered | Unanswered;

export interface Answered {
  status: number;
  /** Milliseconds the API asked to wait. */
  retryAfterMs?: number | undefined;
}

interface Unanswered {
  failure: Omit<ApiFailure, 'repeatable'>;
}

/** A call that was not made, because it was known to be in vain or too early. */
export interface Held extends Unanswered {
  held: true;
}

export function isHeld(reply: Reply | Held): reply is Held {
  return 'held' in reply;
}

/** A time for people, in whole seconds. */
export function isoSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+/, '');
}
