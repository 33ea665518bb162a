import type { FailureType, Fault } from '../core/failures.js';
import type { Place } from './circuit-of.js';

/** What the client must be told of an API. */
export interface ApiDescription {
  /** Name and version of the product, for the API's own logs. */
  readonly userAgent: string;
  /** The setting of a worker that holds the address of the API, as texts name it. */
  readonly addressSetting: string;
  /** The headers that carry the key. */
  readonly authorize: (key: string) => Record<string, string>;
  /** Where a path leads: it decides which breaker a call meets. */
  readonly placeOf: (path: string) => Place;
  readonly errors: ErrorTable;
  /** What a person should do next, by failure. */
  readonly advice: Advice;
}

export type Advice = Readonly<Record<FailureType, string>>;

/** How an API says no. */
export interface ErrorTable {
  /** Reads the body of an error, whatever its form. */
  read(json: unknown): ErrorBody;
  /** The failure that an answer means; `undefined` where the status alone decides. */
  typeOf(answer: { status: number; body: ErrorBody }): FailureType | undefined;
}

/** What a body says; empty where it says nothing. */
export interface ErrorBody {
  /** The API's own class of the error. */
  code: string;
  requestId: string;
  /** For people. */
  text: string;
  /** What it says of single fields. */
  faults: readonly Fault[];
}
