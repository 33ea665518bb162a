import type { PlannedCall } from '../../../contract/plan.js';

/** More calls of one kind are one row. */
const MAX_ROWS = 20;

/** Calls of one kind, each with its purpose; of many, what they are for together. */
export function collapseCalls(rows: readonly PlannedCall[], together: () => string): PlannedCall[] {
  const [first] = rows;
  if (first === undefined || rows.length <= MAX_ROWS) return [...rows];
  return [{ ...first, purpose: together(), times: rows.length }];
}
