import type { WorkflowExecutionDescription } from '@temporalio/client';

import { isoOf } from '../engine/core/iso-of.js';
import { Phase, StepState } from '../engine/core/status.js';
import type { StatusDocument, StepStatus } from '../engine/schema/status-document.js';

/** How somebody or Temporal ended a run that could not say so itself; `undefined` for any other run. */
export function cutShortOf({ status, closeTime }: WorkflowExecutionDescription) {
  const isCutShort = status.name === 'TERMINATED' || status.name === 'TIMED_OUT';
  return isCutShort && closeTime !== undefined ? { at: isoOf(closeTime.getTime()) } : undefined;
}

const NOT_DONE = 'the run was terminated or timed out before this step was done';

/**
 * The status of a run that was cut short: it waits for nothing. What the API has been asked for may go on
 * there, so the outcome of an open step is not known.
 */
export function cutShortStatus(document: StatusDocument, { at }: { at: string }): StatusDocument {
  const steps = document.steps.map((step) => cutShortStep(step, at));
  const ended: StatusDocument = { ...document, phase: Phase.failed, steps };
  delete ended.waiting;
  delete ended.blocked;
  delete ended.acceptsInput;
  return ended;
}

function cutShortStep(step: StepStatus, at: string): StepStatus {
  const { startedAt, endedAt, state } = step;
  if (startedAt === undefined || endedAt !== undefined) return step;
  const isUnsent = state === StepState.planned;
  return {
    ...step,
    state: isUnsent ? StepState.failed : StepState.outcomeUnknown,
    endedAt: at,
    note: NOT_DONE,
  };
}
