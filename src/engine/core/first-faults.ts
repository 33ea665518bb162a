import { cutText } from './cut-text.js';
import type { Fault } from './failures.js';

/** More faults help nobody, and the failure must fit into a history. */
export const MAX_FAULTS = 20;
const MAX_FAULT_BYTES = 500;

/**
 * The first faults with short texts, and one that counts the rest.
 *
 * @param count number of all faults, when `faults` has only some.
 */
export function firstFaults(faults: readonly Fault[], count = countFaults(faults)): Fault[] {
  const first = faults
    .filter((fault) => fault.count === undefined)
    .slice(0, MAX_FAULTS)
    .map(({ path, message }) => ({
      path: cutText(path, MAX_FAULT_BYTES),
      message: cutText(message, MAX_FAULT_BYTES),
    }));
  const rest = count - first.length;
  if (rest <= 0) return first;
  const message = rest === 1 ? 'one more fault' : `${rest.toLocaleString('en')} more faults`;
  return [...first, { path: '…', message, count: rest }];
}

/** How many faults these are, with those that are only counted. */
export function countFaults(faults: readonly Fault[]): number {
  return faults.reduce((sum, { count = 1 }) => sum + count, 0);
}
