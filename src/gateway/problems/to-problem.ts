import { DecryptionError } from '../../codec/decryption-error.js';
import { GrpcCode, grpcCodeOf } from '../../client/grpc-code.js';
import {
  InvalidInputError,
  NoAnswerError,
  RequestConflictError,
  RunCancelledError,
  RunEndedError,
  RunEndingError,
  RunFailedError,
  RunNotFoundError,
  UpdateRefusedError,
} from '../../client/index.js';
import { FailureType, withoutAdvice, type Fault } from '../../contract/index.js';
import { countFaults } from '../../engine/core/first-faults.js';
import { plural } from '../../engine/core/plural.js';
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
  return (
    startProblem(error) ??
    runProblem(error) ??
    updateProblem(error) ??
    decryptionProblem(error) ??
    temporalProblem(error) ??
    UNEXPECTED
  );
}

/** A payload that this gateway cannot read. The run itself goes on. */
function decryptionProblem(error: unknown): Problem | undefined {
  if (!(error instanceof DecryptionError)) return undefined;
  const { message, advice } = error;
  const [code, title] = [FailureType.decryptionFailed, 'The gateway lacks a key'];
  return { status: 503, code, title, detail: withoutAdvice(message, advice), advice };
}

const SAFE_TO_REPEAT =
  'Repeat the request with the same Idempotency-Key and the same body: that is safe.';

function startProblem(error: unknown): Problem | undefined {
  if (error instanceof InvalidInputError) return inputProblem(error.faults);
  if (error instanceof RequestConflictError) return conflictProblem(error);
  if (error instanceof RunEndingError) {
    const { message, advice, workflowId } = error;
    const detail = withoutAdvice(message, advice);
    const headers = { 'Retry-After': '30' };
    const repeat = `${SAFE_TO_REPEAT} It can only start after the run has ended.`;
    return {
      status: 503,
      code: 'RunEnding',
      title: 'The earlier run is still ending',
      detail,
      advice: repeat,
      workflowId,
      headers,
    };
  }
  return undefined;
}

/** The faults of an input, each by its place in the body. */
function inputProblem(faults: readonly Fault[]): Problem {
  return {
    status: 400,
    code: FailureType.invalidInput,
    title: 'The input is not valid',
    detail: `The input has ${plural(countFaults(faults), 'fault')}. Nothing was started or changed.`,
    advice: 'Correct the faults and send the request again.',
    faults: toFaults(faults),
  };
}

/** The client names this one as the caller of a library knows it. */
const REQUEST_ID = 'requestId';
const KEY = 'Idempotency-Key';

function toFaults(faults: readonly Fault[]): ProblemFault[] {
  return faults.flatMap((fault) =>
    fault.path === REQUEST_ID ? toParameters([{ ...fault, path: KEY }]) : toPointers([fault]),
  );
}

function conflictProblem({ workflowId, state, paths }: RequestConflictError): Problem {
  const faults = toPointers(paths.map((path) => ({ path, message: 'differs' })));
  const [first] = faults;
  const has = state === 'open' ? 'is open' : 'has succeeded';
  const where = first?.pointer === undefined ? '' : ` The first difference is at ${first.pointer}.`;
  return {
    status: 409,
    code: 'RequestConflict',
    title: 'The request has a run with another input',
    detail: `The run of this request ${has} with another input. Nothing was started.${where}`,
    advice:
      'Use another Idempotency-Key for the new input, or repeat the first input. To take the run as it is, add ?onConflict=join.',
    workflowId,
    ...(faults.length === 0 ? {} : { faults }),
  };
}

function runProblem(error: unknown): Problem | undefined {
  if (error instanceof RunNotFoundError) {
    const { workflowId } = error;
    return {
      status: 404,
      code: 'RunNotFound',
      title: 'There is no such run',
      detail: 'No run of this product has this id in this namespace.',
      advice:
        'Check the id (GET /v1/runs). In a path it is one segment: a slash of the id is %2F there.',
      workflowId,
    };
  }
  if (error instanceof RunCancelledError) {
    return {
      status: 422,
      code: 'Cancelled',
      title: 'The run was cancelled',
      detail:
        'The run was cancelled. It has removed what it made, unless its input says to keep it.',
      advice: 'Nothing to do. The same request may start again.',
      workflowId: error.workflowId,
    };
  }
  return error instanceof RunFailedError ? failedProblem(error) : undefined;
}

function failedProblem({ type, message, details, workflowId }: RunFailedError): Problem {
  const { advice = 'Read how it ended: GET /v1/runs/{id}/explanation', faults, ...rest } = details;
  const [line = ''] = withoutAdvice(message, advice).split('\n');
  return {
    status: 422,
    code: type,
    title: 'The run failed',
    detail: faults === undefined ? withoutAdvice(message, advice) : line.replace(/:$/, '.'),
    advice,
    workflowId,
    ...(faults === undefined ? {} : { faults: toPointers(faults) }),
    failure: rest,
  };
}

function updateProblem(error: unknown): Problem | undefined {
  if (error instanceof RunEndedError) {
    return {
      status: 409,
      code: 'RunEnded',
      title: 'The run has ended',
      detail: 'The run has already ended. Nothing was changed.',
      advice: 'See how it ended: GET /v1/runs/{id}/result',
      workflowId: error.workflowId,
    };
  }
  if (error instanceof UpdateRefusedError) {
    const { message, workflowId, details, type } = error;
    return {
      status: 409,
      code: type,
      title: 'The run refuses this now',
      detail: message,
      advice: details.advice ?? 'Nothing was changed. See where the run is: GET /v1/runs/{id}',
      workflowId,
    };
  }
  return error instanceof NoAnswerError ? noAnswerProblem(error) : undefined;
}

function noAnswerProblem({ workflowId, mayStillCome, message }: NoAnswerError): Problem {
  return {
    ...noWorkerProblem(workflowId),
    detail: message,
    advice: mayStillCome
      ? 'Read the status to see whether it arrived, then repeat the request.'
      : 'Start a worker, then repeat the request: that is safe.',
  };
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
    headers: { 'Retry-After': '5' },
  };
}

const AWAY: ReadonlySet<number> = new Set([
  GrpcCode.deadlineExceeded,
  GrpcCode.resourceExhausted,
  GrpcCode.unavailable,
  // A call that ends with its connection.
  GrpcCode.cancelled,
]);

/** Whether a later call may succeed. */
function isAway(error: unknown): boolean {
  return AWAY.has(grpcCodeOf(error) ?? -1);
}

function temporalProblem(error: unknown): Problem | undefined {
  const code = grpcCodeOf(error);
  if (isAway(error)) return AWAY_PROBLEM;
  if (code !== GrpcCode.unauthenticated && code !== GrpcCode.permissionDenied) return undefined;
  return {
    status: 502,
    code: 'TemporalRefuses',
    title: 'The Temporal server refuses the gateway',
    detail: 'The Temporal server refuses the credentials of this gateway.',
    advice: 'An operator checks TEMPORAL_API_KEY, the certificate and the namespace.',
  };
}

/** The Temporal server does not answer, or not in time. */
export const AWAY_PROBLEM: Problem = {
  status: 503,
  code: 'TemporalUnreachable',
  title: 'The Temporal server does not answer',
  detail: 'The Temporal server does not answer in time. Nothing is lost: open runs continue.',
  advice: SAFE_TO_REPEAT,
  headers: { 'Retry-After': '5' },
};

/** No table knows this error. */
export const UNEXPECTED: Problem = {
  status: 500,
  code: 'Unexpected',
  title: 'Unexpected error',
  detail: 'The gateway met an error that it does not know.',
  advice: `${SAFE_TO_REPEAT} If the error stays, report it with the request id.`,
};
