import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  ChildWorkflowFailure,
  TimeoutFailure,
  isCancellation,
  type TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';

import { cutText } from '../core/text.js';
import { FailureType, withoutAdvice, type FailureDetails } from '../core/failures.js';
import type { Resource } from '../core/status.js';
import { fitResources } from './fit-status.js';
import type { FailureText, Ledger } from './ledger.js';

const TYPES: ReadonlySet<string> = new Set(Object.values(FailureType));

function isFailureType(type: unknown): type is FailureType {
  return typeof type === 'string' && TYPES.has(type);
}

/** This product's failure inside what an activity or a child run threw, if there is one. */
export function failureOf(error: unknown): ApplicationFailure | undefined {
  const isWrapped = error instanceof ActivityFailure || error instanceof ChildWorkflowFailure;
  const cause = isWrapped ? error.cause : error;
  return cause instanceof ApplicationFailure ? cause : undefined;
}

export function failureTypeOf(error: unknown): FailureType | undefined {
  const type = failureOf(error)?.type;
  return isFailureType(type) ? type : undefined;
}

/** Whether a part has ended without a word of its own: somebody has terminated it, or it has timed out. */
export function isCutShortPart(error: unknown): boolean {
  const saysNothing = failureOf(error) === undefined && !isCancellation(error);
  return error instanceof ChildWorkflowFailure && saysNothing;
}

export function isTimeout(error: unknown): boolean {
  return error instanceof ActivityFailure && error.cause instanceof TimeoutFailure;
}

/** `details[0]` of this product's failure, or of a part that was cancelled and has left things; empty for any other error. */
export function detailsOf(error: unknown): Partial<FailureDetails> {
  const { details } = error instanceof CancelledFailure ? error : (failureOf(error) ?? {});
  const first: unknown = details?.[0];
  return first instanceof Object ? first : {};
}

/** A failure that the workflow itself decides on. It is never retried. */
export function failure(
  type: FailureType,
  message: string,
  details: FailureDetails,
): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    nonRetryable: true,
    message: `${message} ${details.advice}`,
    details: [details],
  });
}

/** The answer of a read, or `undefined` when the API answers "not found". */
export async function orUndefinedIfGone<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (failureTypeOf(error) === FailureType.notFound) return undefined;
    throw error;
  }
}

const MAX_NAMED = 50;

function stillThere(resources: readonly Resource[], more: number): string {
  if (resources.length === 0) return '';
  const named = resources.slice(0, MAX_NAMED).map(({ kind, id }) => `${kind} ${id}`);
  const others = resources.length + more - named.length;
  return ` Still there: ${named.join(', ')}${others === 0 ? '' : ` and ${others} more`}.`;
}

/** The failure as the status shows it; `undefined` for any other error. */
export function toFailureText(error: unknown): FailureText | undefined {
  const type = failureTypeOf(error);
  if (type === undefined) return undefined;
  const { advice = 'Read the cause in the history of the run.' } = detailsOf(error);
  return { type, message: withoutAdvice(failureOf(error)?.message ?? '', advice), advice };
}

/** What the run knows of its end. */
interface EndOfRun {
  operation: string;
  step: string | undefined;
  ledger: Ledger;
}

/** Why the run ends. A cancelled run can say nothing of what it leaves, so a part that leaves something fails instead. */
export function causeOfEnd(error: TemporalFailure, ledger: Ledger): TemporalFailure {
  const isPart = workflowInfo().parent !== undefined;
  const saysNothing = isCancellation(error) && isPart && ledger.resources().length > 0;
  return saysNothing ? cancelledFailure() : error;
}

function cancelledFailure(): ApplicationFailure {
  return failure(FailureType.aborted, 'The run was cancelled.', {
    advice: 'Look at what it has left, and delete what you do not need.',
  });
}

/** A part that was cancelled together with this run ends this one as cancelled too, and says what it has left. */
export function toCancellation(error: unknown): unknown {
  return failureTypeOf(error) === FailureType.aborted
    ? new CancelledFailure('cancelled together with a part that has left things', [
        detailsOf(error),
      ])
    : error;
}

/** Somebody has cancelled a part alone: this run is not cancelled, so it ends as aborted, and says why. */
export function toEndOfPart(error: unknown, workflowId: string): unknown {
  if (!isCancellation(error)) return error;
  return failure(
    FailureType.aborted,
    `The run ${workflowId}, a part of this one, was cancelled alone.`,
    { advice: 'Start the request again if you still want it.' },
  );
}

/** The failure that ends the run: type and message of the cause, and what this run knows. */
export function toRunFailure(
  error: unknown,
  { operation, step, ledger }: EndOfRun,
): ApplicationFailure {
  const cause = failureOf(error);
  const { shown: resources, more } = fitResources(ledger.resources());
  return ApplicationFailure.create({
    ...(typeof cause?.type === 'string' ? { type: cause.type } : {}),
    nonRetryable: true,
    message: `${cutText(cause?.message ?? String(error))}${stillThere(resources, more)}`,
    details: [
      {
        advice: 'Read the cause in the history of the run.',
        ...detailsOf(error),
        operation,
        ...(step === undefined ? {} : { step }),
        resources,
      } satisfies FailureDetails,
    ],
  });
}
