import { Phase, StepState, type Resource } from '../core/status.js';
import { cutText, firstThatFit } from '../core/text.js';
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

/** About 300 resources, which is more than one request makes. */
const MAX_RESOURCES_BYTES = 20_000;
/** About 250 tasks. */
const MAX_TASKS_BYTES = 10_000;

/**
 * The document in at most 64 KiB, whatever the API has said: everybody who watches a run reads it again
 * and again. A step that shows less than it knows says so.
 */
export function fitStatus(document: StatusDocument): StatusDocument {
  const left = { resources: MAX_RESOURCES_BYTES, tasks: MAX_TASKS_BYTES };
  const { blocked, failure, ...rest } = document;
  return {
    ...rest,
    steps: document.steps.map((step) => fitStep(step, left)),
    ...(blocked && { blocked: fitTexts(blocked) }),
    ...(failure && { failure: fitTexts(failure) }),
  };
}

/** The first resources that fit into a failure or a status. */
export function fitResources(resources: readonly Resource[], maxBytes = MAX_RESOURCES_BYTES) {
  const shown = firstThatFit(resources, maxBytes);
  return { shown, more: resources.length - shown.length };
}

function fitStep(step: StepStatus, left: { resources: number; tasks: number }): StepStatus {
  const resources = fitResources(step.resources, left.resources);
  const taskIds = firstThatFit(step.taskIds, left.tasks);
  const note = noteOf(step, resources.more);
  left.resources -= JSON.stringify(resources.shown).length;
  left.tasks -= JSON.stringify(taskIds).length;
  return { ...step, resources: resources.shown, taskIds, ...(note !== undefined && { note }) };
}

function noteOf({ note }: StepStatus, more: number): string | undefined {
  const cut = note === undefined ? undefined : cutText(note);
  if (more === 0) return cut;
  const hint = `${more} more resources are not shown`;
  return cut === undefined ? hint : `${hint}; ${cut}`;
}

function fitTexts<T extends { message: string; advice: string }>(problem: T): T {
  return { ...problem, message: cutText(problem.message), advice: cutText(problem.advice) };
}
