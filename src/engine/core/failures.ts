/**
 * The failure vocabulary: `ApplicationFailure.type` and its one details object.
 */
import type { ItemCounts, Resource } from './status.js';

/** Every failure of a run or an activity has one of these types. docs/failures.md repeats these comments. */
export const FailureType = {
  /** The input breaks the schema or a rule. Nothing was sent. */
  invalidInput: 'InvalidInput',
  /** The API rejected the request (400, 422, or a 409 that no lock explains). The failure names the fields. */
  invalidRequest: 'InvalidRequest',
  /** 401, or a 403 about permission: the key is wrong, revoked or lacks a permission. */
  unauthorized: 'Unauthorized',
  /** A quota of the account is used up. */
  quotaExceeded: 'QuotaExceeded',
  /** There is no capacity for what was asked for, at this place. */
  capacityUnavailable: 'CapacityUnavailable',
  /** Something that the input or a call names does not exist (404, 410). */
  notFound: 'NotFound',
  /** 409: something else has this name. */
  alreadyExists: 'AlreadyExists',
  /** 409: a task holds the resource. */
  resourceBusy: 'ResourceBusy',
  /** 429: the API takes fewer calls of this key. The call changed nothing. */
  rateLimited: 'RateLimited',
  /** No connection, or a 5xx on a read. The call changed nothing. */
  serviceUnavailable: 'ServiceUnavailable',
  /** A mutation was sent, and no answer says whether it happened. */
  outcomeUnknown: 'OutcomeUnknown',
  /** An answer of a form that this version cannot read. The failure names the field. */
  unexpectedResponse: 'UnexpectedResponse',
  /** The remote task ended in ERROR, or finished with a broken resource. */
  taskFailed: 'TaskFailed',
  /** What the run has to remove cannot be removed now: it is locked, or its deletion fails. */
  removalBlocked: 'RemovalBlocked',
  /** Some items of a bulk run failed, more than the input tolerates. */
  itemsFailed: 'ItemsFailed',
  /** The deadline of the run has passed, or a wait took far too long. */
  deadlineExceeded: 'DeadlineExceeded',
  /** The result is larger than Temporal accepts. */
  resultTooLarge: 'ResultTooLarge',
  /** An operator ended the run; or it is a part of another run, was cancelled, and has left something. */
  aborted: 'Aborted',
  /** The manifest is missing, the worker may not read it, or it changed since the run began. */
  manifestUnreadable: 'ManifestUnreadable',
  /** A worker lacks the key of a payload, or the payload is damaged. Nothing was sent; it is tried again. */
  decryptionFailed: 'DecryptionFailed',
  /** A secret that the input names does not exist, or the worker cannot read it. Nothing was sent. */
  secretUnavailable: 'SecretUnavailable',
  /** The worker met an error of its own code. A change that was on its way may have been sent. */
  defect: 'Defect',
  /** The message does not fit what the run is doing. It changed nothing. */
  refused: 'Refused',
} as const;
export type FailureType = (typeof FailureType)[keyof typeof FailureType];

/** What a run that is blocked so does by itself. Where its call may have been carried out, it never sends it again by itself. */
export function triesAs(type: FailureType): 'looks' | 'tries' {
  return type === FailureType.outcomeUnknown ? 'looks' : 'tries';
}

/** One fault of an input: where it is, which rule it breaks, what to do. */
export interface Fault {
  /** Such as `instance.interfaces[0].type`. */
  path: string;
  message: string;
  /** Of the last one of many: how many more it stands for. */
  count?: number;
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
  /** Resources that exist or may exist because of this run. */
  resources?: Resource[];
  /** What the run wrote and leaves in place, for operations without a rollback. */
  written?: string;
  /** `InvalidInput` and `InvalidRequest`: every fault. */
  faults?: Fault[];
  /** Nothing was sent, because an operator has reset the run: its new Run Id. */
  resetTo?: string;
  /** Nothing was sent, because the look before it has shown something. */
  isThere?: true;
  /** `ItemsFailed`: items by outcome. */
  counts?: ItemCounts;
}

/** A message repeats its advice, because some readers see only the message. This removes the repetition. */
export function withoutAdvice(message: string, advice = ''): string {
  return message.replace(advice, '').replaceAll(/ {2,}/g, ' ').trim();
}
