import { Phase } from '../../../src/contract/status.js';
import type { StatusDocument } from '../../../src/contract/status-document.js';
import { existingOf } from '../../support/marked.js';
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
const MOST_REQUESTS = 120;

/** To be asked when nothing is going on in the cloud any more: what is late to be made counts too. */
export function judgeSeed(world: MatrixWorld, plan: SeedPlan, end: SeedEnd): SeedResult {
  const { workflowId, seed, cell, ends } = plan;
  const { status, seconds, stuckAt } = end;
  const phase = status?.phase ?? 'open';
  const requests = world.simulator.requests.filter(({ userAgent }) =>
    userAgent?.endsWith(`(${workflowId})`),
  );
  const { ledger, existing } = existingOf(status ?? { steps: [] }, {
    workflowId,
    inventory: world.simulator.inventory(),
  });
  const isRight = isExpected(phase, ends) && isTrue({ world, plan, phase, existing });
  return {
    seed,
    cell: nameOf(cell),
    phase,
    met: requests.filter(({ fault }) => fault !== undefined).length,
    lost: phase === 'open',
    wrongEnd: phase !== 'open' && !isRight,
    // What may exist stays named where nobody can know: then only what is not named is a lie.
    differences:
      difference(existing, ledger) +
      (ends.includes(Phase.blocked) ? 0 : difference(ledger, existing)),
    requests: requests.length,
    overBudget: requests.length > MOST_REQUESTS,
    seconds,
    ...(stuckAt === undefined ? {} : { stuckAt }),
  };
}

/** One that was blocked has been aborted, and has failed. */
function isExpected(phase: SeedResult['phase'], ends: SeedPlan['ends']): boolean {
  if (phase === 'open') return false;
  return ends.includes(phase) || (phase === Phase.failed && ends.includes(Phase.blocked));
}

interface Ended {
  world: MatrixWorld;
  plan: SeedPlan;
  phase: string;
  existing: readonly string[];
}

/**
 * A run that says it succeeded has exactly one instance, and that one is up. One that was to undo
 * what it did has left nothing, unless nobody can know what it did.
 */
function isTrue({ world, plan, phase, existing }: Ended): boolean {
  if (phase === Phase.succeeded) {
    const { instances } = world.simulator.inventory();
    const own = instances.filter(({ id }) => existing.includes(id));
    return own.length === 1 && own[0]?.status === 'ACTIVE';
  }
  const isKept = plan.onFailure === 'keep' || plan.ends.includes(Phase.blocked);
  return isKept || existing.length === 0;
}

function difference(some: readonly string[], others: readonly string[]): number {
  return some.filter((id) => !others.includes(id)).length;
}
