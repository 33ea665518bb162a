import type { Fault } from './failures.js';
import type { PlanFinding } from '../schema/plan.js';

/** A fault of the input, as a finding of a plan. The client and the worker show it alike. */
export function faultFinding({ path, message }: Fault): PlanFinding & { severity: 'fault' } {
  return { severity: 'fault', path, message, advice: 'Correct this field of the input.' };
}
