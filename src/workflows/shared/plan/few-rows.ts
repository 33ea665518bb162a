import type { PlannedCall } from '../../../contract/plan.js';

/** More calls of one kind are one row. */
const MOST_ROWS = 20;

/** Calls of one kind, each with its purpose; of many, what they are for together. */
export function fewRows(rows: readonly PlannedCall[], together: () => string): PlannedCall[] {
  const [first] = rows;
  if (first === undefined || rows.length <= MOST_ROWS) return [...rows];
  return [{ ...first, purpose: together(), times: rows.length }];
}
