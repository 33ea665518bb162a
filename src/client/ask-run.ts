import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import {
  QueryNotRegisteredError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
} from '@temporalio/client';
import {
  ApplicationFailure,
  CancelledFailure,
  TerminatedFailure,
  type QueryDefinition,
} from '@temporalio/common';

import { ASK_AGAIN, webhooksIdFor, type EndedQuery } from '../engine/core/names.js';
import type { FailureDetails } from '../engine/core/failures.js';
import { cancelReason, LEFT_MEMO } from '../engine/core/identity.js';
import type { OrderedEvent } from '../engine/core/webhooks.js';
import { deliveriesQuery } from '../engine/core/messages.js';
import { Phase } from '../engine/core/status.js';
import type { StatusDocument } from '../engine/schema/status-document.js';
import { RunEndedError, RunNotFoundError, RunCancelledError, RunFailedError } from './errors.js';
import { GrpcCode, grpcCodeOf, notAskedBecause } from './server-calls.js';

const AGAIN_MS = 500;
/** Another worker takes a run over within seconds. */
const TRIES_OF_TAKEN_OVER = 10;
/** What continues at once in its next history waits for up to a second there. */
const TRIES_OF_CONTINUED = 5;

/**
 * Queries a run, open or closed. Repeats the query while the run cannot be asked for a moment. A run that was cut short may have been
 * so before a workflow task showed it all events: it answers as the last one left it.
 */
export async function askRun<T>(
  client: Client,
  run: AskedRun,
  query: QueryDefinition<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await handleOf(client, run).query(query);
    } catch (error) {
      const ended = isTakenOver(error) ? await endedRun(client, run) : undefined;
      if (ended !== undefined) return await askEnded(client, ended, query);
      if (tries >= mostTries(error)) throw error;
      await delay(AGAIN_MS);
    }
  }
}

function handleOf({ workflow }: Client, { workflowId, runId }: AskedRun): WorkflowHandle {
  return workflow.getHandle(workflowId, runId);
}

async function endedRun(client: Client, run: AskedRun): Promise<AskedRun | undefined> {
  const { status, workflowId, runId } = await handleOf(client, run).describe();
  return status.name === 'RUNNING' ? undefined : { workflowId, runId };
}

function askEnded<T>(client: Client, run: AskedRun, { name }: QueryDefinition<T>): Promise<T> {
  return handleOf(client, run).query<T, [EndedQuery]>(name, { ended: true });
}

function mostTries(error: unknown): number {
  if (notAskedBecause(error)?.includes(NOT_BEGUN)) return TRIES_OF_CONTINUED;
  return isTakenOver(error) ? TRIES_OF_TAKEN_OVER : 1;
}

function isTakenOver(error: unknown): boolean {
  // The server reports every query that fails in a worker as this error.
  return error instanceof QueryNotRegisteredError && error.message.includes(ASK_AGAIN);
}

/** The server's words for a history whose first workflow task is still to come. */
const NOT_BEGUN = 'not scheduled yet';

const ENDED: ReadonlySet<Phase> = new Set([Phase.succeeded, Phase.failed, Phase.cancelled]);

/**
 * The status of a run with what became of its webhooks after its end, or since one was given up: an ended run cannot learn that any
 * more, and an open one does not hear what was sent again. So the delivery is asked. When that does not answer, the status says
 * what the run knew.
 */
export async function withDeliveries(
  client: Client,
  run: WorkflowExecutionDescription,
  status: StatusDocument,
): Promise<StatusDocument> {
  const { webhooks, phase } = status;
  const mayHaveChanged = ENDED.has(phase) || webhooks?.undelivered !== undefined;
  if (webhooks === undefined || !mayHaveChanged) return status;
  const deliveries = await deliveriesOf(client, run).catch(() => undefined);
  if (deliveries === undefined) return status;
  const { undelivered: late, ordered, pending } = deliveries;
  const { undelivered: early = [], ...told } = webhooks;
  const key = ({ id, host }: OrderedEvent): string => `${id} ${host}`;
  const again = new Set(ordered.map(key));
  const before = early.filter((one) => !again.has(key(one)));
  const known = new Map([...before, ...late].map((one) => [key(one), one]));
  const undelivered = [...known.values()];
  return {
    ...status,
    webhooks: {
      ...told,
      ...(undelivered.length > 0 && { undelivered }),
      ...(pending.length > 0 && { pending }),
    },
  };
}

function deliveriesOf(client: Client, run: WorkflowExecutionDescription) {
  const workflowId = webhooksIdFor(run.workflowId, firstRunIdOf(run));
  return askRun(client, { workflowId }, deliveriesQuery);
}

/** The newest run of this id. @throws RunNotFoundError */
export async function describeRun(
  client: Client,
  workflowId: string,
): Promise<WorkflowExecutionDescription> {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    throw toRunError(workflowId, error);
  }
}

/**
 * When somebody or Temporal ended a run that could not say so itself, in milliseconds since the epoch; `undefined` for any other
 * run.
 */
export function cutShortTimeOf({
  status,
  closeTime,
}: Pick<WorkflowExecutionDescription, 'status' | 'closeTime'>): number | undefined {
  const isCutShort = status.name === 'TERMINATED' || status.name === 'TIMED_OUT';
  return isCutShort ? closeTime?.getTime() : undefined;
}

/**
 * When a run ended of which more may show later, in milliseconds since the epoch: it was cut short, or has left something that
 * the lists of the API need not show yet.
 */
export function unseenSince(
  run: Pick<WorkflowExecutionDescription, 'status' | 'closeTime' | 'memo'>,
): number | undefined {
  const hasLeft = run.memo?.[LEFT_MEMO] !== undefined;
  return cutShortTimeOf(run) ?? (hasLeft ? run.closeTime?.getTime() : undefined);
}

/** Who is asked. */
export interface AskedRun {
  workflowId: string;
  /** The Run Id of any history of the one that is meant; left out, whichever run has the Workflow Id now. */
  runId?: string | undefined;
}

/** The Workflow Id of a run: the newest one that has it. With a Run Id, that run in all its histories, and no other. */
export type RunName = string | { workflowId: string; runId: string };

export function toAsked(name: RunName): AskedRun {
  if (typeof name === 'string') return { workflowId: name };
  const { workflowId, runId } = name;
  return { workflowId, runId };
}

export function toName({ workflowId, runId }: AskedRun): RunName {
  return runId === undefined ? workflowId : { workflowId, runId };
}

export function firstRunIdOf({ raw, runId }: WorkflowExecutionDescription): string {
  return raw.workflowExecutionInfo?.firstRunId || runId;
}

/** The newest history of the one that is meant. @throws RunNotFoundError, RunEndedError when another run has the Workflow Id now */
export async function describeAsked(
  client: Client,
  { workflowId, runId }: AskedRun,
): Promise<WorkflowExecutionDescription> {
  const newest = await describeRun(client, workflowId);
  const first = firstRunIdOf(newest);
  if (runId === undefined || runId === newest.runId || runId === first) return newest;
  // It may have continued as new since.
  if ((await firstRunIdOfHistory(client, { workflowId, runId })) === first) return newest;
  throw new RunEndedError(workflowId, ANOTHER_RUN);
}

/** Also one after which another run has begun. @throws RunNotFoundError */
export async function describeNamed(
  client: Client,
  asked: AskedRun,
): Promise<WorkflowExecutionDescription> {
  const { workflowId, runId } = asked;
  try {
    return await describeAsked(client, asked);
  } catch (error) {
    if (!(error instanceof RunEndedError)) throw error;
    return await orRunError(workflowId, client.workflow.getHandle(workflowId, runId).describe());
  }
}

/** `undefined` for a history that the server has forgotten. */
async function firstRunIdOfHistory(
  { workflow }: Client,
  { workflowId, runId }: AskedRun,
): Promise<string | undefined> {
  try {
    return firstRunIdOf(await workflow.getHandle(workflowId, runId).describe());
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

export const ANOTHER_RUN = 'another run has begun since';

/**
 * Asks a run to cancel. A handle of the SDK gives no reason, and a reason is all that the run itself learns
 * about who asks.
 * @throws RunNotFoundError, RunEndedError
 */
export async function cancelRun(
  { client, by }: { client: Client; by: string },
  asked: AskedRun,
): Promise<void> {
  const { workflowId } = asked;
  // The server accepts a cancel request for a closed run silently.
  const run = await describeAsked(client, asked);
  if (run.closeTime !== undefined) throw new RunEndedError(workflowId, run.status.name);
  const { namespace, identity } = client.options;
  try {
    await client.workflowService.requestCancelWorkflowExecution({
      namespace,
      identity,
      requestId: randomUUID(),
      workflowExecution: { workflowId },
      ...meantOnly(asked, run),
      reason: cancelReason(by),
    });
  } catch (error) {
    throw grpcCodeOf(error) === GrpcCode.notFound ? new RunNotFoundError(workflowId) : error;
  }
}

/** Keeps a call to the one that is meant, although another run may begin before the call arrives. */
export function meantOnly(
  { runId }: AskedRun,
  run: WorkflowExecutionDescription,
): { firstExecutionRunId?: string } {
  return runId === undefined ? {} : { firstExecutionRunId: firstRunIdOf(run) };
}

/** Turns Temporal's errors into errors of this client; returns any other error unchanged. */
export function toRunError(workflowId: string, error: unknown): unknown {
  if (error instanceof WorkflowNotFoundError) return new RunNotFoundError(workflowId);
  if (!(error instanceof WorkflowFailedError)) return error;
  const { cause } = error;
  if (cause instanceof CancelledFailure) return new RunCancelledError(workflowId);
  if (cause instanceof ApplicationFailure) {
    const type = cause.type ?? 'Unknown';
    return new RunFailedError(workflowId, {
      type,
      message: cause.message,
      details: firstDetails(cause),
    });
  }
  const how = cause instanceof TerminatedFailure ? 'terminated' : 'ended by a timeout of Temporal';
  return new RunFailedError(workflowId, {
    type: cause?.name ?? error.name,
    message: `The run was ${how}, so it has undone nothing: what it made still exists.`,
    details: {
      advice: 'Look at what exists before you start it again: the same request finds it.',
    },
  });
}

/** `details[0]` of a failure of this product; empty for any other failure. */
export function firstDetails(failure: ApplicationFailure): Partial<FailureDetails> {
  const first: unknown = failure.details?.[0];
  return first instanceof Object ? first : {};
}

/** The same promise, whose errors are those of a run. */
export async function orRunError<T>(workflowId: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw toRunError(workflowId, error);
  }
}
