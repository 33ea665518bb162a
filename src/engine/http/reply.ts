import { FailureType } from '../core/failures.js';
import type { ApiFailure } from './describe-failure.js';
import { describeCircuit, type CircuitName } from './api-description.js';

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
  failure: ApiFailure;
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

export interface Outage extends CircuitName {
  /** Missing when the whole area, or region, does not answer. */
  collection?: string;
  /** When the first of the failing calls ended. */
  since: Date;
}

/** What a breaker holds back: an area, a collection of it, or one resource. */
export interface HeldBack extends Outage {
  resource?: string;
}

export function describeHeld({ since, collection, resource, ...name }: HeldBack): Held {
  const area = `the API area ${describeCircuit(name)}`;
  const part = resource ?? collection;
  const what = part === undefined ? area : `${part} in ${area}`;
  return {
    held: true,
    failure: {
      type: FailureType.serviceUnavailable,
      message: `was not sent: ${what} has not answered since ${isoSeconds(since)}; calls wait`,
      details: {},
      notSent: 'breaker',
    },
  };
}
