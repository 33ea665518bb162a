import { Phase } from '../../../src/contract/status.js';
import type { StatusDocument } from '../../../src/contract/status-document.js';
import { nameOf } from './cells.js';
import type { SeedPlan } from './plan-seed.js';
import type { MatrixWorld, SeedEnd } from './run-seed.js';

/** What came of one seed. Everything but `seed`, `cell`, `phase`, `met`, `requests` and `seconds` must be clean. */
export interface SeedResult {
  seed: number;
  cell: string;
  phase: StatusDocument['phase'] | 'open';
  /** How many of its requests met a fault. */
  met: number;
  /** It did not end in time. */
  lost: boolean;
  /** It ended in a way that its faults do not explain, or reports what is not so. */
  wrongEnd: boolean;
  /** How many ids only the ledger has, or only the cloud. */
  differences: number;
  requests: number;
  overBudget: boolean;
  seconds: number;
  /** What a run that did not end is at. */
  stuckAt?: string | undefined;
}

/** A plain run makes 5; every fault costs some, and a minute of looking through lists most. */
const MAX_REQUESTS = 120;

/** To be asked when nothing is going on in the cloud any more: what is late to be made counts too. */
export function judgeSeed(world: MatrixWorld, plan: SeedPlan, end: SeedEnd): SeedResult {
  const { simulator } = world;
  const { workflowId: name, seed, cell, ends, onFailure } = plan;
  const { status, result, seconds, stuckAt } = end;
  const requests = simulator.requests.filter(({ userAgent }) => userAgent?.endsWith(`(${name})`));
  const isHidden = ends.includes(Phase.blocked);
  const verdict =
    status && cell.of.judge({ seed, name, onFailure, status, result, simulator, isHidden });
  return {
    seed,
    cell: nameOf(cell),
    phase: status?.phase ?? 'open',
    met: requests.filter(({ fault }) => fault !== undefined).length,
    lost: status === undefined,
    wrongEnd: status !== undefined && !(isExpected(status.phase, ends) && verdict?.isTrue === true),
    differences: verdict?.differences ?? 0,
    requests: requests.length,
    overBudget: requests.length > MAX_REQUESTS,
    seconds,
    ...(stuckAt === undefined ? {} : { stuckAt }),
  };
}

/** One that was blocked has been aborted, and has failed. */
function isExpected(phase: StatusDocument['phase'], ends: SeedPlan['ends']): boolean {
  return ends.includes(phase) || (phase === Phase.failed && ends.includes(Phase.blocked));
}
