import { CELLS } from './cells.js';

/** Every how many cells one is tried. A prime, so that each operation and each moment has its turn. */
const STEP = 11;

/**
 * Seeds for a part of the cells that strike real processes: the simulation tries all others, and more.
 * `npm run test:faults` runs a thousand seeds of all cells and prints a table.
 */
export const SHORT_FORM: readonly number[] = CELLS.flatMap(({ kind }, index) =>
  kind === 'worker killed' || kind === 'Temporal stopped' ? [index + 1] : [],
).filter((_, nth) => nth % STEP === 0);
