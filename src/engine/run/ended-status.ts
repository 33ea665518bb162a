import { Phase, StepState } from '../core/status.js';
import type { StatusDocument, StepStatus } from '../schema/status-document.js';

export type EndPhase = Extract<Phase, 'succeeded' | 'failed' | 'cancelled'>;

export function isEndPhase(phase: Phase): phase is EndPhase {
  return phase === Phase.succeeded || phase === Phase.failed || phase === Phase.cancelled;
}

const NOT_DONE = 'the run ended before this step was done';

/**
 * The status of a run that ends now: it waits for nothing, and no step goes on. An outcome that is not
 * known stays unknown.
 *
 * @param at when the run ends, in ISO 8601
 */
export function endedStatus(document: StatusDocument, phase: EndPhase, at: string): StatusDocument {
  const steps = document.steps.map((step) => closedStep(step, at));
  const ended = { ...document, phase, steps };
  delete ended.waiting;
  delete ended.blocked;
  delete ended.acceptsInput;
  return ended;
}

function closedStep(step: StepStatus, at: string): StepStatus {
  const { startedAt, endedAt, state, note } = step;
  if (startedAt === undefined || endedAt !== undefined) return step;
  if (state === StepState.outcomeUnknown) return { ...step, endedAt: at };
  const isProven = state === StepState.accepted && note !== undefined;
  return {
    ...step,
    state: StepState.failed,
    endedAt: at,
    note: isProven ? `${note}; ${NOT_DONE}` : NOT_DONE,
  };
}
