import type { PlannedCall } from '../../../engine/schema/plan.js';

/** More calls of one kind become one row. */
const MAX_ROWS = 20;

/** Shows each call of one kind with its purpose; many calls become one row with a common purpose. */
export function collapseCalls(
  rows: readonly PlannedCall[],
  commonPurpose: () => string,
): PlannedCall[] {
  const [first] = rows;
  if (first === undefined || rows.length <= MAX_ROWS) return [...rows];
  return [{ ...first, purpose: commonPurpose(), times: rows.length }];
}
