import { isChange, isMake } from '../../../src/contract/operations/index.js';
import type { MatrixOperation } from '../../support/operations/matrix-operation.js';
import { CELLS } from './cells.js';

/**
 * Every how many cells one is tried on a real server; the simulation tries all of them, and more. provisionInstance makes the most
 * resources; operations of one step take one way. Primes, so that each moment of an operation has its turn.
 */
function stepOf({ operation }: MatrixOperation): number {
  if (operation === 'provisionInstance') return 13;
  return isChange(operation) || isMake(operation) ? 97 : 37;
}

/** Seeds for a part of the cells. `npm run test:faults` runs a thousand seeds and prints a table. */
export const SHORT_FORM: readonly number[] = CELLS.flatMap(({ of }, index) =>
  index % stepOf(of) === 0 ? [index + 1] : [],
);
