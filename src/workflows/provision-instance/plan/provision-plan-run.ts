import type { ProvisionInstanceInput } from '../../../contract/operations/types.js';
import type { PreparedProvisionInstance } from '../../../contract/wire/prepared.js';
import type { PlanRun } from '../../gcore.js';
import type { Target } from '../targets.js';

/** The input field with the flavor or region of a target. The first target is the requested one. */
export function pathOf(
  targets: readonly Target[],
  target: Target,
  field: 'flavor' | 'regionId',
): string {
  const index = targets.indexOf(target);
  if (index > 0) return `alternatives[${index - 1}].${field}`;
  return field === 'flavor' ? 'instance.flavor' : 'regionId';
}

/** What the parts of this plan are made with. */
export type ProvisionPlanRun = PlanRun<PreparedProvisionInstance, ProvisionInstanceInput>;
