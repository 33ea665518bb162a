import { FailureType } from '../core/failures.js';
import type { AnyError } from '../../contract/api/errors.js';

/** The parts of a refusing answer (not 2xx) that decide its failure type. */
export interface Answer {
  status: number;
  error: AnyError;
  /** "Not found" by a proxy: it does not tell what the API has. */
  isForeign?: boolean;
}

const CAPACITY =
  /capacity|flavou?r|no valid host|sold out|out of stock|not enough (?:resources|hosts)|not available in (?:this |the )?region/i;
const QUOTA = /quota|limit (?:is |was |has been )?(?:exceeded|reached)/i;
const EXISTS = /already exist|duplicate/i;
const QUEUE_FULL = /queue limit reached/i;

/**
 * The failure type of a refusing answer.
 *
 * `exception_class` decides before the status where the documentation says so: a quota error comes
 * with more than one status, and a 403 of this API often means "no capacity" (error handling guide;
 * api.md §3). Texts decide only where the status is ambiguous, because they repeat names that a user
 * chose. `repeatable` says whether a call may simply be repeated after a 5xx.
 */
export function classifyAnswer(answer: Answer, repeatable: boolean): FailureType {
  const { status, error, isForeign = false } = answer;
  if (isForeign) return classifyRest(BAD_GATEWAY, repeatable);
  if (error.exception_class === 'QuotaLimitExceed') return FailureType.quotaExceeded;
  return (
    BY_STATUS.get(status) ??
    BY_TEXT.get(status)?.(textOf(error), error) ??
    classifyRest(status, repeatable)
  );
}

const BAD_GATEWAY = 502;

const BY_STATUS = new Map<number, FailureType>([
  [401, FailureType.unauthorized],
  [404, FailureType.notFound],
  [410, FailureType.notFound],
  [429, FailureType.rateLimited],
]);

/** Statuses with more than one meaning, and the words that decide between them. */
const BY_TEXT = new Map<number, (text: string, error: AnyError) => FailureType | undefined>([
  [400, refusedRequest],
  [422, refusedRequest],
  [
    403,
    (text) => {
      if (CAPACITY.test(text)) return FailureType.capacityUnavailable;
      return QUOTA.test(text) ? FailureType.quotaExceeded : FailureType.unauthorized;
    },
  ],
  [409, (text) => (EXISTS.test(text) ? FailureType.alreadyExists : FailureType.resourceBusy)],
]);

function refusedRequest(
  text: string,
  { exception_class: kind }: AnyError,
): FailureType | undefined {
  if (QUEUE_FULL.test(text)) return FailureType.rateLimited;
  return kind !== 'ValidationError' && QUOTA.test(text) ? FailureType.quotaExceeded : undefined;
}

function classifyRest(status: number, repeatable: boolean): FailureType {
  // Redirects and the like come from a proxy in between, so they do not tell the outcome either.
  const mayHaveHappened = status >= 500 || status === 408 || status < 400;
  if (mayHaveHappened) {
    if (!repeatable) return FailureType.outcomeUnknown;
    return status < 400 ? FailureType.unexpectedResponse : FailureType.serviceUnavailable;
  }
  return status === 425 ? FailureType.serviceUnavailable : FailureType.invalidRequest;
}

/** The texts of the four error shapes of the API, or "". */
export function textOf(error: AnyError): string {
  const fields = [error.invalid_fields, error.errors].flatMap((record) =>
    Object.entries(record ?? {}).map(([field, texts]) => `${field}: ${[texts].flat().join(', ')}`),
  );
  return [error.message ?? error.error, ...fields].filter(Boolean).join('; ');
}
