import {
  isGrpcCancelledError,
  isGrpcDeadlineError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';

import type { ClearSecrets } from '../contract/clear-secrets.js';
import { FailureType, withoutAdvice } from '../engine/core/failures.js';
import {
  abortUpdate,
  extendUpdate,
  joinUpdate,
  pauseUpdate,
  restoreUpdate,
  resumeUpdate,
  statusQuery,
  type AbortRequest,
  type ExtendRequest,
  type ResumeRequest,
} from '../engine/core/messages.js';
import type { Operations } from '../contract/operations/index.js';
import { statusDocumentSchema } from '../contract/documents.js';
import type { StatusDocument } from '../engine/schema/status-document.js';
import { sendableInput, type ClearSecretsNow } from './runnable-input.js';
import { notAskedBecause, withDeadline } from './server-calls.js';
import {
  InvalidInputError,
  NoAnswerError,
  RunEndedError,
  UpdateRefusedError,
  type NoAnswer,
  type RunUpdateName,
} from './errors.js';
import {
  ANOTHER_RUN,
  askRun,
  describeAsked,
  firstDetails,
  meantOnly,
  toAsked,
  toRunError,
  type AskedRun,
  type RunName,
} from './ask-run.js';

/** The complete corrected input of a run. */
export interface Correction<O extends keyof Operations> {
  operation: O;
  input: Operations[O]['input'];
}

/**
 * What an operator may ask of an open run. Each answers with the status document and needs a
 * worker; without one it throws `NoAnswerError` within seconds.
 *
 * All throw RunNotFoundError, RunEndedError (also when another run has the Workflow Id of a named Run Id now),
 * UpdateRefusedError, NoAnswerError.
 */
export interface RunUpdates {
  /** The run sends nothing new. Calls that were sent continue at the API. */
  pause(run: RunName): Promise<StatusDocument>;
  /**
   * Continues a paused or blocked run, with a corrected input if one is given and it is not too late. `ofMany`: you resume
   * several at once, so the run looks again, and what only a person can decide about it stays open.
   * @throws InvalidInputError with every fault; the run stays as it was.
   */
  resume<O extends keyof Operations>(
    run: RunName,
    correction?: Correction<O>,
    options?: { ofMany?: boolean },
  ): Promise<StatusDocument>;
  /** The run undoes its work and fails as `Aborted`. A blocked rollback ends too. */
  abort(run: RunName, request?: AbortRequest): Promise<StatusDocument>;
  /** Holds what the run protects (`holdFor` of `protectIp`) for at least this long from now. */
  extend(run: RunName, request: ExtendRequest): Promise<StatusDocument>;
  /** Restores the earlier state now. The run succeeds when the restored state is verified. */
  restore(run: RunName): Promise<StatusDocument>;
}

export interface RunUpdatesDeps {
  client: Client;
  /** Longest wait for a worker's answer. */
  answerWithinMs: number;
  /** Who asks: see `GcoreWorkflowsOptions.identity`. */
  by: string;
}

export function createRunUpdates(
  deps: RunUpdatesDeps & { clearSecrets: ClearSecretsNow },
): RunUpdates {
  const clearSecretsFor = <O extends keyof Operations>({ operation, input }: Correction<O>) =>
    deps.clearSecrets(operation, input);
  const send = async (
    run: RunName,
    update: RunUpdateName,
    request: object,
  ): Promise<StatusDocument> =>
    statusDocumentSchema.parse(await sendUpdate(deps, { ...toAsked(run), update, request }));
  return {
    pause: (run) => send(run, 'pause', {}),

    async resume(run, correction, { ofMany = false } = {}) {
      const request: ResumeRequest =
        correction === undefined ? {} : toRequest(correction, await clearSecretsFor(correction));
      return send(run, 'resume', { ...request, ...(ofMany && { ofMany }) });
    },

    abort: (run, request = {}) => send(run, 'abort', request),

    extend: (run, request) => send(run, 'extend', request),

    restore: (run) => send(run, 'restore', {}),
  };
}

function toRequest<O extends keyof Operations>(
  { operation, input }: Correction<O>,
  clearSecrets: ClearSecrets,
): ResumeRequest {
  const parsed = sendableInput(operation, input, clearSecrets);
  if (!parsed.ok) throw new InvalidInputError(parsed.faults);
  return { input };
}

const UPDATES = {
  pause: pauseUpdate,
  resume: resumeUpdate,
  abort: abortUpdate,
  extend: extendUpdate,
  restore: restoreUpdate,
  join: joinUpdate,
} as const;

export interface SentUpdate extends AskedRun {
  update: RunUpdateName;
  request: object;
}

/**
 * Without a worker an update waits at the server, and a worker that starts half a minute after the
 * caller has given up still carries it out (measured). So the update is sent only after a worker has
 * answered a query. Before that nothing has changed.
 */
export async function sendUpdate(deps: RunUpdatesDeps, sent: SentUpdate): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    try {
      return await sendUpdateOnce(deps, sent);
    } catch (error) {
      if (notAskedBecause(error) === undefined) throw error;
      if (tries === MAX_TRIES) throw unanswered(error, sent, deps.answerWithinMs);
    }
  }
}

/** When an event arrives during the workflow task that ends a run, the server drops the updates of that task. */
const MAX_TRIES = 5;

async function sendUpdateOnce(
  { client, answerWithinMs, by }: RunUpdatesDeps,
  sent: SentUpdate,
): Promise<unknown> {
  const { workflowId, update } = sent;
  const request = { ...sent.request, by };
  const within = <T>(call: () => Promise<T>) => withDeadline(client, answerWithinMs, call);
  const run = await openRun(client, sent, answerWithinMs);
  const handle = client.workflow.getHandle(workflowId, undefined, meantOnly(sent, run));
  try {
    await within(() => askRun(client, run, statusQuery));
  } catch (error) {
    throw unanswered(error, sent, answerWithinMs);
  }
  try {
    const { name } = UPDATES[update];
    return await within(() => handle.executeUpdate<unknown, [object]>(name, { args: [request] }));
  } catch (error) {
    if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) {
      throw new NoAnswerError(workflowId, { update, waitedMs: answerWithinMs, mayStillCome: true });
    }
    // The run ended while the update was on its way.
    if (error instanceof WorkflowNotFoundError) {
      await openRun(client, sent, answerWithinMs);
      throw new RunEndedError(workflowId, ANOTHER_RUN);
    }
    throw toUpdateError(workflowId, error);
  }
}

/** @throws RunNotFoundError, RunEndedError */
async function openRun(
  client: Client,
  asked: AskedRun,
  answerWithinMs: number,
): Promise<WorkflowExecutionDescription> {
  const run = await withDeadline(client, answerWithinMs, () => describeAsked(client, asked));
  if (run.closeTime !== undefined) throw new RunEndedError(asked.workflowId, run.status.name);
  return run;
}

/**
 * What it means that a query has failed: nothing was sent yet. At the deadline the server may end the call a moment before
 * the client does; the error then says cancelled.
 */
export function unanswered(
  error: unknown,
  { workflowId, update }: Pick<SentUpdate, 'workflowId'> & Pick<NoAnswer, 'update'>,
  waitedMs: number,
): unknown {
  const because = notAskedBecause(error);
  const isLate = isGrpcDeadlineError(error) || isGrpcCancelledError(error);
  if (because === undefined && !isLate) return toRunError(workflowId, error);
  const why = because === undefined ? {} : { because };
  return new NoAnswerError(workflowId, { update, waitedMs, mayStillCome: false, ...why });
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
