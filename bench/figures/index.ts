import type { FigureDefinition } from './definition.js';
import { accounts } from './definitions/accounts.js';
import { bulk } from './definitions/bulk.js';
import { coldStart } from './definitions/cold-start.js';
import { costs } from './definitions/costs.js';
import { cpu } from './definitions/cpu.js';
import { incident } from './definitions/incident.js';
import { limits } from './definitions/limits.js';
import { openRuns } from './definitions/open-runs.js';
import { overhead } from './definitions/overhead.js';
import { pace } from './definitions/pace.js';
import { soak } from './definitions/soak.js';
import { throughput } from './definitions/throughput.js';
import { waiting } from './definitions/waiting.js';

/** The figures in the order of the page. */
export const FIGURES: readonly FigureDefinition[] = [
  waiting,
  costs,
  cpu,
  openRuns,
  accounts,
  coldStart,
  throughput,
  overhead,
  incident,
  bulk,
  limits,
  pace,
  soak,
];
