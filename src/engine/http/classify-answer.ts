import { FailureType } from '../core/failures.js';
import type { ErrorBody, ErrorTable } from './api-description.js';

/** The parts of a refusing answer (not 2xx) that decide its failure type. */
export interface Answer {
  status: number;
  body: ErrorBody;
  /** "Not found" by a proxy: it does not tell what the API has. */
  isForeign?: boolean;
}

/**
 * The failure type of a refusing answer: by the table of the API, else by its status.
 *
 * @param repeatable whether a call may simply be repeated after a 5xx
 */
export function classifyAnswer(
  { status, body, isForeign = false }: Answer,
  { errors, repeatable }: { errors: Pick<ErrorTable, 'typeOf'>; repeatable: boolean },
): FailureType {
  if (isForeign) return classifyRest(BAD_GATEWAY, repeatable);
  return (
    errors.typeOf({ status, body }) ?? BY_STATUS.get(status) ?? classifyRest(status, repeatable)
  );
}

const BAD_GATEWAY = 502;

const BY_STATUS = new Map<number, FailureType>([
  [401, FailureType.unauthorized],
  [403, FailureType.unauthorized],
  [404, FailureType.notFound],
  [409, FailureType.resourceBusy],
  [410, FailureType.notFound],
  [429, FailureType.rateLimited],
]);

function classifyRest(status: number, repeatable: boolean): FailureType {
  // Redirects and the like come from a proxy in between, so they do not tell the outcome either.
  const mayHaveHappened = status >= 500 || status === 408 || status < 400;
  if (mayHaveHappened) {
    if (!repeatable) return FailureType.outcomeUnknown;
    return status < 400 ? FailureType.unexpectedResponse : FailureType.serviceUnavailable;
  }
  return status === 425 ? FailureType.serviceUnavailable : FailureType.invalidRequest;
}
