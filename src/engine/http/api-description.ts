import type { FailureType, Fault } from '../core/failures.js';

/** A part of the API that can stop answering while the others go on. */
export interface CircuitName {
  /** Such as `cloud`. Each area is a separate service. */
  area: string;
  /** Of an area that has regions, for calls that go to one. */
  region?: number;
}

/** What a call asks for, within its circuit. */
export interface Target {
  /** Such as `instances` or `ddos`. */
  collection: string;
  /** One thing, with all that is below it: `instances/17/0a1b`, `kv/5`. A collection is a thing too: `instances/17`. */
  resource: string;
  /** The resource is the collection itself: its list, or where its things are made. */
  isCollection: boolean;
}

export interface Place extends Target {
  circuit: CircuitName;
}

/** `cloud`, `cloud in region 76` */
export function describeCircuit({ area, region }: CircuitName): string {
  return region === undefined ? area : `${area} in region ${region}`;
}

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
  /** Whether a body says an error, and so takes back the success of its status. Left out where no answer is known to do so. */
  isError?(json: unknown): boolean;
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

/**
 * What a person should do next, by failure, where a product says nothing more exact. Every failure that leaves an activity carries one. Where a run
 * blocks, it is the cause to mend and no more: the block itself says how the run goes on.
 */
export const GENERAL_ADVICE: Advice = {
  InvalidInput: 'Correct the named fields and start again.',
  InvalidRequest: 'Correct the named fields and start again; nothing was created by this call.',
  Unauthorized:
    'Check the API key of the account: is it complete, not revoked, and allowed to do this?',
  QuotaExceeded: 'Ask for a higher quota or delete what is not needed.',
  CapacityUnavailable: 'Choose another kind or place, or wait until there is capacity.',
  NotFound: 'Check the ids, the project and the region.',
  AlreadyExists: 'Use another name, or remove what exists.',
  ResourceBusy: 'Another task holds the resource; the call is repeated when that task ends.',
  RateLimited: 'Nothing to do: the call is repeated after the time the API asked for.',
  ServiceUnavailable: 'Nothing to do: the call is repeated until the API answers.',
  OutcomeUnknown: 'Nothing to do yet: the worker looks for what the call may have created.',
  UnexpectedResponse:
    'The API answered in a form this version does not know. Check the address of the API and for a newer version.',
  TaskFailed:
    'Read the text of the task. If it names no cause that you can fix, contact the support of the API with the task id.',
  ItemsFailed: 'Read the report of the items and run the failed ones again.',
  DeadlineExceeded: 'Start again with a later deadline.',
  ResultTooLarge: 'Ask for a smaller part of the result.',
  Aborted: 'Nothing to do: an operator ended the run.',
  RemovalBlocked: 'Look at what holds the resource, free it or delete it yourself.',
  ManifestUnreadable:
    'Restore the manifest to the state it had when the run began, or let the worker read it.',
  DecryptionFailed: 'Give the worker the key ring that the others have.',
  SecretUnavailable: 'Create the secret where the worker looks for it.',
  Defect:
    'Report it with this message and the version of the worker, and replace the worker when it is fixed.',
  Refused: 'Look at the status of the run first.',
};
