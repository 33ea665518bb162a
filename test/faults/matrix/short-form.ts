import { CELLS } from './cells.js';

/**
 * Seeds for one of three cells of provisionInstance, which makes the most resources, and every twelfth of all
 * other cells. `npm run test:faults` runs a thousand seeds and prints a table.
 */
export const SHORT_FORM: readonly number[] = CELLS.flatMap(({ of }, index) =>
  (of.operation === 'provisionInstance' ? index % 3 === 0 : index % 12 === 0) ? [index + 1] : [],
);
