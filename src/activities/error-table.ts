import { anyErrorSchema, type AnyError } from '../contract/api/errors.js';
import { FailureType, type Fault } from '../engine/core/failures.js';
import type { ErrorBody, ErrorTable } from '../engine/http/api-description.js';

const CAPACITY =
  /capacity|flavou?r|no valid host|sold out|out of stock|not enough (?:resources|hosts)|not available in (?:this |the )?region/i;
const QUOTA = /quota|limit (?:is |was |has been )?(?:exceeded|reached)/i;
const EXISTS = /already exist|duplicate/i;
const QUEUE_FULL = /queue limit reached/i;

/**
 * How the API says no.
 *
 * `exception_class` decides before the status where the documentation says so: a quota error comes
 * with more than one status, and a 403 of this API often means "no capacity" (error handling guide;
 * api.md §3). Texts decide only where the status is ambiguous, because they repeat names that a user
 * chose.
 */
export const ERROR_TABLE: ErrorTable = {
  read(json) {
    const parsed = anyErrorSchema.safeParse(json);
    const error = parsed.success ? parsed.data : {};
    const { exception_class: code = '', request_id: requestId = '' } = error;
    return { code, requestId, text: textOf(error), faults: faultsOf(error) };
  },
  typeOf: ({ status, body }) =>
    body.code === 'QuotaLimitExceed' ? FailureType.quotaExceeded : BY_TEXT.get(status)?.(body),
  // A video has a field `error` too, beside its id.
  isError(json) {
    if (!(json instanceof Object) || 'id' in json || 'tasks' in json) return false;
    const { data: { exception_class: code, error, errors } = {} } = anyErrorSchema.safeParse(json);
    const hasText = [code, error].some((text) => text !== undefined && text !== '');
    return hasText || Object.keys(errors ?? {}).length > 0;
  },
};

/** Statuses with more than one meaning, and the words that decide between them. */
const BY_TEXT = new Map<number, (body: ErrorBody) => FailureType | undefined>([
  [400, refusedRequest],
  [422, refusedRequest],
  [
    403,
    ({ text }) => {
      if (CAPACITY.test(text)) return FailureType.capacityUnavailable;
      return QUOTA.test(text) ? FailureType.quotaExceeded : undefined;
    },
  ],
  [409, ({ text }) => (EXISTS.test(text) ? FailureType.alreadyExists : undefined)],
]);

function refusedRequest({ text, code }: ErrorBody): FailureType | undefined {
  if (QUEUE_FULL.test(text)) return FailureType.rateLimited;
  return code !== 'ValidationError' && QUOTA.test(text) ? FailureType.quotaExceeded : undefined;
}

/** The texts of the four error shapes of the API, or "". */
function textOf(error: AnyError): string {
  const fields = [error.invalid_fields, error.errors].flatMap((record) =>
    Object.entries(record ?? {}).map(([field, texts]) => `${field}: ${[texts].flat().join(', ')}`),
  );
  return [error.message ?? error.error, ...fields].filter(Boolean).join('; ');
}

function faultsOf(error: AnyError): Fault[] {
  return Object.entries({ ...error.invalid_fields, ...error.errors }).map(([path, texts]) => ({
    path,
    message: [texts].flat().join(', '),
  }));
}
