import { WORKFLOW_METRICS } from '../../../contract/wire/product.js';
import { Operation } from '../../../contract/wire/names.js';
import type { Resource } from '../../../engine/core/status.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { note } from '../../../engine/run/note.js';

/** The resources that are not verified as gone yet. One step at a time shows them. */
export interface LeftResources {
  /** Makes this step show them from now on. */
  showIn(step: StepRecorder): void;
  add(resource: Resource): void;
  remove(resource: Resource): void;
}

export function createLeftResources(first: StepRecorder): LeftResources {
  const left = new Map<string, Resource>();
  let shown = first;
  const show = (): void => {
    shown.set(shown.state, { resources: [...left.values()] });
  };
  return {
    showIn(step) {
      if (step.name === shown.name) return;
      shown.set(shown.state, { resources: [] });
      shown = step;
      show();
    },
    add(resource) {
      if (left.has(resource.id)) return;
      left.set(resource.id, resource);
      show();
    },
    remove({ kind, id }) {
      if (!left.delete(id)) return;
      note(WORKFLOW_METRICS.resourcesRemoved, 1, { operation: Operation.deleteInstance, kind });
      show();
    },
  };
}
