import type { Shape } from './cpu-workers.js';

/** CPU of a workflow task against the yardstick. */
export const MAX_CPU_RATIO = 1.3;

/** How the measured runs wait. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  watched: { watcher: true, looks: 1 },
  'ten looks': { watcher: false, looks: 10 },
};
