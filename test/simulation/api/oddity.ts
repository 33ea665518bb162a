import type { Simulator } from '../../../src/simulator/index.js';
import type { Clock } from '../time/clock.js';
import type { Chaos } from '../world/chaos.js';
import type { Answer } from './api-answer.js';
import type { ApiCall } from './api-call.js';

export interface OddityOptions {
  simulator: Simulator;
  clock: Clock;
  chaos: Chaos;
}

export interface Refusal {
  answer: Answer;
  says: readonly string[];
}

/** A successful answer in JSON, to be changed in place. */
export interface JsonAnswer {
  call: ApiCall;
  json: unknown;
}

/** One odd habit of the API. */
export interface Odd {
  /** Answers in place of the API, which then does nothing. */
  refuse?: (call: ApiCall) => Refusal | undefined;
  /** Changes the effect of a call before it is carried out. */
  prepare?: (
    call: ApiCall,
    body: string | undefined,
  ) => { body?: string; says: string } | undefined;
  /** Whether `change` may do something now; without it no answer is read for it. */
  changes?: (call: ApiCall) => boolean;
  /** Shows something else than what is there. */
  change?: (answer: JsonAnswer) => Changed | undefined;
}

/** Another body, or a refusal instead of it. */
export type Changed = { says: string } & ({ json: unknown } | { answer: Answer });
