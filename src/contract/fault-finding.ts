import type { Fault } from './failures.js';
import type { PlanFinding } from './plan.js';

/** A fault of the input as a plan shows it, whether the client or the worker found it. */
export function faultFinding({ path, message }: Fault): PlanFinding & { severity: 'fault' } {
  return { severity: 'fault', path, message, advice: 'Correct this field of the input.' };
}
