import type { ApiFailure } from './api-failure.js';

/** The outcome of a call as gates and breakers judge it: an answer, or the reason why there is none. */
export type Reply = Answered | Unanswered;

export interface Answered {
  status: number;
  /** Wait that the API asked for, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** "Not found" by what stands before the API, which knows nothing of its things. */
  isForeign?: boolean;
}

interface Unanswered {
  failure: Omit<ApiFailure, 'repeatable'>;
}

/** A call that was not sent, because it would fail or comes too early. */
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
