import type { DeleteChoice } from '../../../contract/operations/delete-instance.js';

/** The parts of an instance, sorted by the choice. */
export interface ChosenParts {
  /** Attached, and chosen for deletion. */
  chosen: string[];
  /** Attached, and kept. */
  kept: string[];
  /** Named by the choice, but not attached. */
  loose: string[];
}

export function chooseParts(choice: DeleteChoice, attached: readonly string[]): ChosenParts {
  if (choice === 'delete') return { chosen: [...attached], kept: [], loose: [] };
  if (choice === 'keep') return { chosen: [], kept: [...attached], loose: [] };
  return {
    chosen: attached.filter((id) => choice.includes(id)),
    kept: attached.filter((id) => !choice.includes(id)),
    loose: choice.filter((id) => !attached.includes(id)),
  };
}
