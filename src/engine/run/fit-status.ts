import { cutText, firstThatFit } from '../core/text.js';
import type { Resource } from '../core/status.js';
import type { StatusDocument, StepStatus } from '../schema/status-document.js';

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
