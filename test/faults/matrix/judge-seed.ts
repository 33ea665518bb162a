import { Phase } from '../../../src/engine/core/status.js';
import type { StatusDocument } from '../../../src/engine/schema/status-document.js';
import { nameOf } from './cells.js';
import { isStruckCall, type SeedPlan } from './plan-seed.js';
import type { MatrixWorld, SeedEnd } from './run-seed.js';

/** The result of one seed. A clean seed has no `lost`, `wrongEnd`, `differences` or `overBudget`. */
export interface SeedResult {
  seed: number;
  cell: string;
  phase: StatusDocument['phase'] | 'open';
  /** Number of the run's requests that met a fault. */
  met: number;
  /** The run did not end in time. */
  lost: boolean;
  /** The run ended in a way that its faults do not explain, or it reports something false. */
  wrongEnd: boolean;
  /** Number of ids that only the ledger has, or only the cloud. */
  differences: number;
  requests: number;
  overBudget: boolean;
  seconds: number;
  /** The state of a run that did not end. */
  stuckAt?: string | undefined;
}

/** A plain run makes 5 requests. Every fault adds some; a minute of lookups in lists adds the most. */
const MAX_REQUESTS = 120;

/** Call this when the cloud has become quiet, because late resources count too. */
export function judgeSeed(world: MatrixWorld, plan: SeedPlan, end: SeedEnd): SeedResult {
  const { simulator } = world;
  const { workflowId: name, seed, cell, onFailure } = plan;
  const { status, result, seconds, stuckAt } = end;
  const requests = simulator.requests.filter(({ userAgent }) => userAgent?.endsWith(`(${name})`));
  const isStruck = requests.some((request) => isStruckCall(plan, request));
  const ends = isStruck ? plan.ends : (plan.endsUnstruck ?? plan.ends);
  const isHidden = plan.ends.includes(Phase.blocked);
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

/** A run that was blocked has been aborted, so it has failed. */
function isExpected(phase: StatusDocument['phase'], ends: SeedPlan['ends']): boolean {
  return ends.includes(phase) || (phase === Phase.failed && ends.includes(Phase.blocked));
}
