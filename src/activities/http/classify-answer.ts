import { FailureType } from '../../contract/failures.js';
import type { AnyError } from '../../contract/api/errors.js';

/** What an answer that is not 2xx says, as far as it decides anything. */
export interface Answer {
  status: number;
  error: AnyError;
}

const CAPACITY = /capacity|flavou?r|no valid host|not (?:enough|available)|sold out|out of stock/i;
const QUOTA = /quota/i;
const EXISTS = /already exist|duplicate/i;
const QUEUE_FULL = /queue limit reached/i;

/**
 * Which failure a refusing answer is.
 *
 * Decided by `exception_class` and text before the status: a 403 of this API often means "no
 * capacity", and a quota comes with more than one status (error handling guide; api.md §3).
 * `repeatable` tells whether a 5xx may be answered by just asking again.
 */
export function classifyAnswer({ status, error }: Answer, repeatable: boolean): FailureType {
  const text = textOf(error);
  if (error.exception_class === 'QuotaLimitExceed' || (isRefusal(status) && QUOTA.test(text))) {
    return FailureType.quotaExceeded;
  }
  if (QUEUE_FULL.test(text)) return FailureType.rateLimited;
  if (status === 403) {
    return CAPACITY.test(text) ? FailureType.capacityUnavailable : FailureType.unauthorized;
  }
  if (status === 409) {
    return EXISTS.test(text) ? FailureType.alreadyExists : FailureType.resourceBusy;
  }
  return BY_STATUS.get(status) ?? classifyRest(status, repeatable);
}

const BY_STATUS = new Map<number, FailureType>([
  [401, FailureType.unauthorized],
  [404, FailureType.notFound],
  [410, FailureType.notFound],
  [429, FailureType.rateLimited],
]);

function classifyRest(status: number, repeatable: boolean): FailureType {
  // Redirects and other oddities come from something in between, so they say nothing either.
  const mayHaveHappened = status >= 500 || status === 408 || status < 400;
  if (mayHaveHappened) {
    if (!repeatable) return FailureType.outcomeUnknown;
    return status < 400 ? FailureType.unexpectedResponse : FailureType.serviceUnavailable;
  }
  return status === 425 ? FailureType.serviceUnavailable : FailureType.invalidRequest;
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

/** The first text found in the four error shapes of the API, or "" . */
export function textOf(error: AnyError): string {
  const fields = [error.invalid_fields, error.errors].flatMap((record) =>
    Object.entries(record ?? {}).map(([field, texts]) => `${field}: ${[texts].flat().join(', ')}`),
  );
  return [error.message ?? error.error, ...fields].filter(Boolean).join('; ');
}
