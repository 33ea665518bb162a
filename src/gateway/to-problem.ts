import { describeError, toKnownError } from '../client/error-table.js';
import type { ErrorKind, ErrorOf, KnownError } from '../client/known-error.js';
import { KEPT_DAYS } from '../contract/wire/uploads.js';
import type { FailureDetails, Fault } from '../engine/core/failures.js';
import {
  ProblemError,
  toParameters,
  toPointers,
  type Problem,
  type ProblemFault,
} from './problem.js';

/** Any error as a problem. */
export function toProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  const known = toKnownError(error);
  if (known === undefined) return UNEXPECTED;
  return known.kind === 'TemporalUnreachable' ? AWAY_PROBLEM : knownProblem(known);
}

/** What HTTP adds to what every surface says of an error. */
interface Dress<K extends ErrorKind> {
  status: number;
  /** Where the same call may succeed later: in so many seconds. */
  retryAfterS?: number;
  title?: string;
  detail?: (error: ErrorOf[K]) => string;
  /** With the request to send next. */
  advise?: (error: ErrorOf[K]) => string | undefined;
}

const RETRY_AFTER_S = 5;

const SAFE_TO_REPEAT =
  'Repeat the request with the same Idempotency-Key and the same body: that is safe.';

const DRESSES: { readonly [K in ErrorKind]: Dress<K> } = {
  InvalidInput: {
    status: 400,
    advise: () => 'Correct the faults and send the request again.',
  },
  RequestConflict: {
    status: 409,
    advise: () =>
      'Use another Idempotency-Key for the new input, or repeat the first input. To take the run as it is, add ?onConflict=join.',
  },
  RunEnding: {
    status: 503,
    retryAfterS: 30,
    advise: () => `${SAFE_TO_REPEAT} It can only start after the run has ended.`,
  },
  RunNotFound: {
    status: 404,
    // The id is whatever somebody has sent.
    detail: () => 'No run of this product has this id in this namespace.',
    advise: () =>
      'Check the id (GET /v1/runs). In a path it is one segment: a slash of the id is %2F there.',
  },
  RunFailed: {
    status: 422,
    advise: ({ details }) => details.advice ?? 'Read how it ended: GET /v1/runs/{id}/explanation',
  },
  Cancelled: {
    status: 422,
    advise: () =>
      'See what it has left: GET /v1/runs/{id}/explanation. The same request may start again.',
  },
  RunEnded: {
    status: 409,
    advise: () => 'See how it ended: GET /v1/runs/{id}/result',
  },
  Refused: {
    status: 409,
    advise: ({ details }) =>
      details.advice ?? 'Nothing was changed. See where the run is: GET /v1/runs/{id}',
  },
  NoAnswer: { status: 503 },
  RetryRefused: { status: 409 },
  ScheduleNotFound: { status: 404 },
  ScheduleConflict: { status: 409 },
  UploadLimit: {
    status: 429,
    advise: () =>
      `Delete a list that nobody needs: GET /v1/uploads, DELETE /v1/uploads/{sha256}. A list is kept for ${KEPT_DAYS} days.`,
  },
  UploadUnsettled: { status: 503, retryAfterS: 30 },
  UploadNotFound: {
    status: 404,
    advise: () => 'Check the sha256 and ?account= (GET /v1/uploads).',
  },
  UploadInUse: {
    status: 409,
    advise: () =>
      'End the runs first, or add ?force=true: a run that reads on then blocks until the list is uploaded again.',
  },
  DecryptionFailed: { status: 503, title: 'The gateway lacks a key' },
  NamespaceNotFound: { status: 502 },
  TemporalRefuses: {
    status: 502,
    title: 'The Temporal server refuses the gateway',
    detail: () => 'The Temporal server refuses the credentials of this gateway.',
    advise: () => 'An operator checks TEMPORAL_API_KEY, the certificate and the namespace.',
  },
  TemporalUnreachable: { status: 503, advise: () => SAFE_TO_REPEAT },
};

function knownProblem<K extends ErrorKind>(known: KnownError<K>): Problem {
  const { kind, error, code, workflowId } = known;
  const { status, title, detail, advise, retryAfterS }: Dress<K> = DRESSES[kind];
  const faults = known.faults?.flatMap(toFault) ?? [];
  return {
    status,
    code,
    title: title ?? known.title,
    detail: detail?.(error) ?? withFirstDifference(known.message, kind, faults),
    advice: advise?.(error) ?? known.advice,
    ...(workflowId === undefined ? {} : { workflowId }),
    ...(faults.length === 0 ? {} : { faults }),
    ...(known.details === undefined ? {} : { failure: withoutTold(known.details) }),
    ...(known.retryable && { headers: retryAfter(retryAfterS) }),
  };
}

function retryAfter(seconds = RETRY_AFTER_S): Record<string, string> {
  return { 'Retry-After': String(seconds) };
}

/** The client names this one as the caller of a library knows it. */
const REQUEST_ID = 'requestId';
const KEY = 'Idempotency-Key';

/** A fault by its place in the body, or in the headers. A line of a list has no pointer. */
function toFault(fault: Fault): ProblemFault[] {
  if (fault.path === REQUEST_ID) return toParameters([{ ...fault, path: KEY }]);
  return /^line \d+/.test(fault.path) ? toParameters([fault]) : toPointers([fault]);
}

/** A caller that reads only the detail learns where to look. */
function withFirstDifference(message: string, kind: ErrorKind, faults: ProblemFault[]): string {
  const pointer = faults[0]?.pointer;
  if (kind !== 'RequestConflict' || pointer === undefined) return message;
  return `${message} The first difference is at ${pointer}.`;
}

/** The advice and the faults have fields of their own in a problem. */
function withoutTold(details: Partial<FailureDetails>): Record<string, unknown> {
  return { ...details, advice: undefined, faults: undefined };
}

/** Only a worker can answer, and none does. */
export function noWorkerProblem(workflowId: string): Problem {
  return {
    status: 503,
    code: 'NoAnswer',
    title: 'No worker answers for the run',
    detail: 'No worker answers for the run. The run itself is safe.',
    advice: 'Start a worker and repeat the request. GET /v1/runs/{id}/explanation needs no worker.',
    workflowId,
    headers: retryAfter(),
  };
}

/** The Temporal server does not answer, or not in time. */
export const AWAY_PROBLEM: Problem = knownProblem(
  describeError('TemporalUnreachable', new Error('No answer in time')),
);

/** No table knows this error. */
export const UNEXPECTED: Problem = {
  status: 500,
  code: 'Unexpected',
  title: 'Unexpected error',
  detail: 'The gateway met an error that it does not know.',
  advice: `${SAFE_TO_REPEAT} If the error stays, report it with the request id.`,
};
