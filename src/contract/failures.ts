/**
 * The failure vocabulary: `ApplicationFailure.type` and its one details object.
 *
 * Free of zod, so workflow code may import its values.
 */
import type { ImportCounts } from './operations/import-videos.js';
import type { Resource } from './status-document.js';

/** Every failure that a run or an activity of this product ends with has one of these types. */
export const FailureType = {
  /** The input breaks the schema or a rule; nothing was sent. */
  invalidInput: 'InvalidInput',
  /** The API refused the request as wrong (400, 422); the fields are named. */
  invalidRequest: 'InvalidRequest',
  /** 401, or a 403 about permission: the key is wrong, revoked or too weak. */
  unauthorized: 'Unauthorized',
  quotaExceeded: 'QuotaExceeded',
  /** A 403 that means "no capacity for this flavor in this region". */
  capacityUnavailable: 'CapacityUnavailable',
  notFound: 'NotFound',
  alreadyExists: 'AlreadyExists',
  /** 409: another task holds the resource. */
  resourceBusy: 'ResourceBusy',
  rateLimited: 'RateLimited',
  /** No connection, or a 5xx on a read. Nothing was changed by the call. */
  serviceUnavailable: 'ServiceUnavailable',
  /** A mutation left, and no answer says whether it happened. */
  outcomeUnknown: 'OutcomeUnknown',
  /** A 2xx whose body does not have the documented shape. */
  unexpectedResponse: 'UnexpectedResponse',
  /** The remote task ended in ERROR, or finished with a broken resource. */
  taskFailed: 'TaskFailed',
  itemsFailed: 'ItemsFailed',
  deadlineExceeded: 'DeadlineExceeded',
  /** What was found is more than a run's result may hold. */
  resultTooLarge: 'ResultTooLarge',
  aborted: 'Aborted',
  /** A manifest is missing, may not be read, or is no longer what it was when the run began. */
  manifestUnreadable: 'ManifestUnreadable',
  /** A message that does not fit what the run is doing; nothing was changed by it. */
  refused: 'Refused',
} as const;
export type FailureType = (typeof FailureType)[keyof typeof FailureType];

/** One fault of an input: where, which rule, what to do. */
export interface Fault {
  /** Such as `instance.interfaces[0].type`. */
  path: string;
  message: string;
}

/** `details[0]` of every failure. Nothing in it is secret; `advice` is the next action for a person. */
export interface FailureDetails {
  advice: string;
  operation?: string;
  step?: string;
  method?: string;
  path?: string;
  status?: number;
  /** The API's own `exception_class`. */
  code?: string;
  requestId?: string;
  taskId?: string;
  /** What exists or may exist because of this run. */
  resources?: Resource[];
  /** What is written and stays, where nothing is undone. */
  written?: string;
  /** `InvalidInput` and `InvalidRequest`: every fault, by path. */
  faults?: Fault[];
  /** `ItemsFailed`: how many of what. */
  counts?: ImportCounts;
}

/** A message repeats its advice, for readers who see nothing else; this is for those who see both. */
export function withoutAdvice(message: string, advice = ''): string {
  return message.replace(advice, '').replaceAll(/ {2,}/g, ' ').trim();
}
