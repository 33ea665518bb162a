import { FailureType } from '../core/failures.js';
import { describeCircuit, type CircuitName } from './circuit-of.js';
import { isoSeconds, type Held } from './reply.js';

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
