import type { Shape } from './cpu-workers.js';

/** CPU of a worker per workflow task against the yardstick. */
export const MAX_CPU_RATIO = 1.3;

/** What the limit is for. The other measures show where the CPU goes. */
export const LIMITED_MEASURE = 'live, whole process';

/** How the measured runs wait. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  watched: { watcher: true, looks: 1 },
  'ten looks': { watcher: false, looks: 10 },
};
