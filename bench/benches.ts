import type { Bench } from './bench.js';
import type { Published } from './document/store.js';
import { accounts } from './figures/accounts.js';
import { attacks } from './figures/attacks.js';
import { bulk } from './figures/bulk.js';
import { bulkCpu } from './figures/bulk-cpu.js';
import { coldStart } from './figures/cold-start.js';
import { costs } from './figures/costs.js';
import { cpu } from './figures/cpu.js';
import { deploy } from './figures/deploy.js';
import { durations } from './figures/durations.js';
import { incident } from './figures/incident.js';
import { limits } from './figures/limits.js';
import { openRuns } from './figures/open-runs.js';
import { outage } from './figures/outage.js';
import { overhead } from './figures/overhead.js';
import { pace } from './figures/pace.js';
import { soak } from './figures/soak.js';
import { surfaces } from './figures/surfaces.js';
import { throughput } from './figures/throughput.js';
import { uploads } from './figures/uploads.js';
import { waiting } from './figures/waiting.js';

/** First those of docs/figures.md in the order of that page. */
export const BENCHES: readonly Bench[] = [
  ...[
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
    bulkCpu,
  ],
  ...[limits, pace, soak],
  ...[durations, outage, surfaces, deploy, attacks, uploads],
];

export const PUBLISHED = BENCHES.filter((bench): bench is Published => bench.page !== undefined);
