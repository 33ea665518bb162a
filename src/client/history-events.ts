import type { Payload } from '@temporalio/common';
import type proto from '@temporalio/proto';
import { z } from 'zod';

import { resumeUpdate } from '../engine/core/messages.js';
import { GrpcCode, grpcCodeOf } from './server-calls.js';

export type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent;

/**
 * An update that was asked of the run. A reset stores each one that it brings again in an event of its own, and the event
 * with which the run takes that up does not repeat it.
 */
export function updateRequestOf({
  workflowExecutionUpdateAcceptedEventAttributes: accepted,
  workflowExecutionUpdateAdmittedEventAttributes: admitted,
}: HistoryEvent): proto.temporal.api.update.v1.IRequest | undefined {
  return accepted?.acceptedRequest ?? admitted?.request ?? undefined;
}

/** A `resume` that was asked of the run. It may bring a corrected input. */
export function resumeOf(
  event: HistoryEvent,
): { updateId: string; payloads: readonly Payload[] } | undefined {
  const { input: message, meta } = updateRequestOf(event) ?? {};
  if (message?.name !== resumeUpdate.name || !meta?.updateId) return undefined;
  return { updateId: meta.updateId, payloads: message.args?.payloads ?? [] };
}

const resumeSchema = z.object({ input: z.unknown() }).partial().catch({});

/** The corrected input in the argument of a `resume`, if there is one. */
export function correctedInputIn(argument: unknown): unknown {
  return resumeSchema.parse(argument).input;
}

/** The update that the run has carried out. It refuses a correction with faults, and keeps its input. */
export function carriedOutBy({
  workflowExecutionUpdateCompletedEventAttributes: completed,
}: HistoryEvent): string | undefined {
  return completed?.outcome?.success ? (completed.meta?.updateId ?? undefined) : undefined;
}

/** For a read of a history that the server may have deleted. */
export function orUndefinedWhenGone(error: unknown): undefined {
  if (grpcCodeOf(error) === GrpcCode.notFound) return undefined;
  throw error;
}
