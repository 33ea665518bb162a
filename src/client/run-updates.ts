import {
  isGrpcCancelledError,
  isGrpcDeadlineError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';

import { FailureType, withoutAdvice } from '../contract/failures.js';
import {
  abortUpdate,
  extendUpdate,
  pauseUpdate,
  restoreUpdate,
  resumeUpdate,
  statusQuery,
  type AbortRequest,
  type ExtendRequest,
  type ResumeRequest,
} from '../contract/messages.js';
import { operationSchemas, type Operations } from '../contract/operations/index.js';
import { parseInput } from '../contract/parse-input.js';
import { statusDocumentSchema, type StatusDocument } from '../contract/status-document.js';
import { bounded } from './bounded.js';
import {
  InvalidInputError,
  NoAnswerError,
  RunEndedError,
  UpdateRefusedError,
  type RunUpdateName,
} from './errors.js';
import { GrpcCode, grpcCodeOf } from './grpc-code.js';
import { firstDetails, toRunError } from './to-run-error.js';

/** The whole input of a run anew, with the mistake corrected. */
export interface Correction<O extends keyof Operations> {
  operation: O;
  input: Operations[O]['input'];
}

/**
 * What an operator may say to an open run. Each answers with the status document and needs a
 * worker; without one it throws `NoAnswerError` within seconds.
 *
 * All throw RunNotFoundError, RunEndedError, UpdateRefusedError, NoAnswerError.
 */
export interface RunUpdates {
  /** The run sends nothing new; what was sent goes on at the API. */
  pause(workflowId: string): Promise<StatusDocument>;
  /**
   * A paused or blocked run goes on, with another input if one is given and it is not too late.
   * @throws InvalidInputError with every fault; the run stays as it was.
   */
  resume<O extends keyof Operations>(
    workflowId: string,
    correction?: Correction<O>,
  ): Promise<StatusDocument>;
  /** The run undoes what it did and fails as `Aborted`; a rollback that is blocked ends too. */
  abort(workflowId: string, request?: AbortRequest): Promise<StatusDocument>;
  /** What a run holds (`holdFor` of `protectIp`) is held for at least so long from now on. */
  extend(workflowId: string, request: ExtendRequest): Promise<StatusDocument>;
  /** What a run holds is put back now. The run ends as succeeded when that is verified. */
  restore(workflowId: string): Promise<StatusDocument>;
}

export interface RunUpdatesDeps {
  client: Client;
  /** How long a worker may take to answer. */
  answerWithinMs: number;
}

export function createRunUpdates(deps: RunUpdatesDeps): RunUpdates {
  return {
    pause: (workflowId) => sendUpdate(deps, { workflowId, word: 'pause', request: {} }),

    async resume(workflowId, correction) {
      const request: ResumeRequest = correction === undefined ? {} : toRequest(correction);
      return sendUpdate(deps, { workflowId, word: 'resume', request });
    },

    abort: (workflowId, request = {}) => sendUpdate(deps, { workflowId, word: 'abort', request }),

    extend: (workflowId, request) => sendUpdate(deps, { workflowId, word: 'extend', request }),

    restore: (workflowId) => sendUpdate(deps, { workflowId, word: 'restore', request: {} }),
  };
}

function toRequest<O extends keyof Operations>({ operation, input }: Correction<O>): ResumeRequest {
  const parsed = parseInput(operationSchemas[operation].input, input);
  if (!parsed.ok) throw new InvalidInputError(parsed.faults);
  return { input };
}

const UPDATES = {
  pause: pauseUpdate,
  resume: resumeUpdate,
  abort: abortUpdate,
  extend: extendUpdate,
  restore: restoreUpdate,
} as const;

interface Said {
  workflowId: string;
  word: RunUpdateName;
  request: object;
}

/**
 * An update that is sent while no worker is there waits at the server, unseen, and a worker that
 * comes half a minute after the caller has given up still carries it out (tried). So the word is sent only after a worker has answered a
 * query: until then, nothing was changed for certain.
 */
async function sendUpdate(
  { client, answerWithinMs }: RunUpdatesDeps,
  said: Said,
): Promise<StatusDocument> {
  const { workflowId, word, request } = said;
  const handle = client.workflow.getHandle(workflowId);
  const within = <T>(call: () => Promise<T>) => bounded(client, answerWithinMs, call);
  await refuseEnded(client, { workflowId, answerWithinMs });
  try {
    await within(() => handle.query(statusQuery));
  } catch (error) {
    if (!isUnanswered(error)) throw toRunError(workflowId, error);
    throw new NoAnswerError(workflowId, { word, waitedMs: answerWithinMs, mayStillCome: false });
  }
  try {
    const { name } = UPDATES[word];
    const document = await within(() =>
      handle.executeUpdate<unknown, [object]>(name, { args: [request] }),
    );
    return statusDocumentSchema.parse(document);
  } catch (error) {
    if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) {
      throw new NoAnswerError(workflowId, { word, waitedMs: answerWithinMs, mayStillCome: true });
    }
    // It ended while it was being told.
    if (error instanceof WorkflowNotFoundError) {
      await refuseEnded(client, { workflowId, answerWithinMs });
    }
    throw toUpdateError(workflowId, error);
  }
}

async function refuseEnded(
  client: Client,
  { workflowId, answerWithinMs }: { workflowId: string; answerWithinMs: number },
): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  try {
    const { status, closeTime } = await bounded(client, answerWithinMs, () => handle.describe());
    if (closeTime !== undefined) throw new RunEndedError(workflowId, status.name);
  } catch (error) {
    throw toRunError(workflowId, error);
  }
}

/**
 * No worker is there, or none can carry the run on: then the server refuses to ask. At the deadline
 * the server may end the call a moment before the client does, which then reads as cancelled.
 */
function isUnanswered(error: unknown): boolean {
  if (isGrpcDeadlineError(error) || isGrpcCancelledError(error)) return true;
  return grpcCodeOf(error) === GrpcCode.failedPrecondition;
}

function toUpdateError(workflowId: string, error: unknown): unknown {
  if (!(error instanceof WorkflowUpdateFailedError)) return toRunError(workflowId, error);
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return error;
  const details = firstDetails(cause);
  if (cause.type === FailureType.invalidInput && details.faults !== undefined) {
    return new InvalidInputError(details.faults);
  }
  return new UpdateRefusedError(workflowId, {
    message: withoutAdvice(cause.message, details.advice),
    details,
  });
}
