import type { ApiFailure } from './api-failure.js';

/** What came of a call, as far as breakers judge it: an answer, or the reason why there is none. */
export type Reply = Answered | Unanswered;

interface Answered {
  status: number;
}

interface Unanswered {
  failure: Omit<ApiFailure, 'repeatable'>;
}

/** A call that was not made, because it was known to be in vain. */
export interface Held extends Unanswered {
  held: true;
}

/** A time for people, in whole seconds. */
export function isoSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+/, '');
}
