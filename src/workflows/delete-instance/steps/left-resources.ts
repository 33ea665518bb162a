import type { Resource } from '../../../contract/resource.js';
import type { StepRecorder } from '../../engine/run/ledger.js';

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
    remove({ id }) {
      if (left.delete(id)) show();
    },
  };
}
