import type { Target } from '../targets.js';

/** Where the input names the flavor or the region of a target: the first is what was asked for. */
export function pathOf(
  targets: readonly Target[],
  target: Target,
  field: 'flavor' | 'regionId',
): string {
  const index = targets.indexOf(target);
  if (index > 0) return `alternatives[${index - 1}].${field}`;
  return field === 'flavor' ? 'instance.flavor' : 'regionId';
}
