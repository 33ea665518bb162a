import type { FaultMatch, FaultRule } from '../../../src/simulator/index.js';
import { Phase } from '../../../src/contract/status.js';
import type { StatusDocument } from '../../../src/contract/status-document.js';
import { callOf, CELLS, combinableCells, rulesOf, type Cell } from './cells.js';
import { createDraw, type Draw } from './random.js';

/** All that one seed decides. */
export interface SeedPlan {
  seed: number;
  /** Tells the run's requests from those of all others. */
  workflowId: string;
  cell: Cell;
  /** Faults beside the one of the cell. */
  others: Cell[];
  rules: FaultRule[];
  /** The call in which something is done to the run or its processes. */
  struckIn?: { match: FaultMatch; afterProcessing: boolean };
  onFailure: 'rollback' | 'keep';
  /** Whether a watcher looks after its tasks; the calls of a watcher belong to no run. */
  watched: boolean;
  /** Milliseconds after the start of its world. */
  startsAfterMs: number;
  /**
   * How the run may end; anything else is a false success, a false failure or a loss. `blocked`: it
   * may also wait for a person, who then aborts it.
   */
  ends: StatusDocument['phase'][];
}

/** At most so many faults beside the one of the cell. */
const MAX_OTHERS = 2;

/** The same plan for the same seed. Seeds go through the cells in turn, so a range covers them all. */
export function planSeed(seed: number): SeedPlan {
  const draw = createDraw(seed);
  const round = Math.floor((seed - 1) / CELLS.length);
  const cell = CELLS[(seed - 1) % CELLS.length] ?? neverEmpty();
  const workflowId = `seed-${seed}`;
  const userAgent = new RegExp(`\\(${workflowId}\\)$`);
  const others = Array.from({ length: mostOthers(cell, draw) }, () => pickCell(cell, draw));
  const rollsBack = cell.moment === 'rollback';
  const cells = [cell, ...others];
  const rules = cells.flatMap((each) => rulesOf(each, userAgent, draw));
  if (rollsBack) rules.push(refusal(cell, userAgent));
  const struckIn = {
    match: callOf(cell.of, cell.moment, userAgent),
    afterProcessing: draw.chance(0.5),
  };
  return {
    seed,
    workflowId,
    cell,
    others,
    rules,
    ...(isStruck(cell, round) && { struckIn }),
    onFailure: draw.chance(keepShare(cell)) ? 'keep' : 'rollback',
    watched: cell.moment !== 'wait',
    startsAfterMs: draw.number(0, 2_000),
    ends: [...endsOf(cell, rules), ...(isHidden(cells) ? [Phase.blocked] : [])],
  };
}

/**
 * A pair of faults is dangerous as it is: a third one would only blur it. And a removal that the API
 * took on and then failed at is seen only where no other fault makes the run repeat it anyway.
 */
function mostOthers({ under, kind, moment }: Cell, draw: Draw): number {
  const isFailedRemoval = kind === 'task ERROR' && moment === 'rollback';
  return under === undefined && !isFailedRemoval ? draw.number(0, MAX_OTHERS) : 0;
}

/** How many of the runs keep what they made when they fail. */
function keepShare({ moment, under }: Cell): number {
  if (under !== undefined) return 0;
  return moment === 'rollback' ? 0.1 : 0.3;
}

/** Every other time processes are struck in no particular call. */
function isStruck({ kind }: Cell, round: number): boolean {
  if (kind === 'cancelled') return true;
  const isOfProcess = kind === 'worker killed' || kind === 'Temporal stopped';
  return isOfProcess && round % 2 === 0;
}

function pickCell({ of }: Cell, draw: Draw): Cell {
  const cells = combinableCells(of);
  return cells[draw.number(0, cells.length - 1)] ?? neverEmpty();
}

function neverEmpty(): never {
  throw new RangeError('the matrix has no cells');
}

/** The shortest way to a rollback: the API refuses to show what is to be verified. */
function refusal({ of }: Cell, userAgent: RegExp): FaultRule {
  const match = { ...callOf(of, 'verify', userAgent), times: 1 };
  return { match, action: { kind: 'status', status: 400 } };
}

/** A task that failed and is forgotten: nobody can know what came of the call, and the run says so. */
function isHidden(cells: readonly Cell[]): boolean {
  const kinds = cells.map(({ kind }) => kind);
  return kinds.includes('task ERROR') && kinds.includes('task 404');
}

function endsOf(cell: Cell, rules: readonly FaultRule[]): SeedPlan['ends'] {
  const isAlone = rules.length === 1;
  if (cell.kind === 'cancelled') return endsOfCancelled(cell, rules);
  const failures = rules.filter(({ action }) => action.kind === 'task-error');
  const isFatal = failures.some(
    ({ action }) => action.kind === 'task-error' && action.error === 'internal error',
  );
  if (cell.moment !== 'rollback' && !isFatal) return ['succeeded'];
  // A lost answer hides an error: then the leftovers are removed and the call is sent again, or the
  // read is repeated. And what is refused may be another read than the one that verifies.
  const isOfProcess = cell.kind === 'worker killed' || cell.kind === 'Temporal stopped';
  return isAlone && !isOfProcess ? ['failed'] : ['failed', 'succeeded'];
}

/** The word counts when it comes before the end. What fails meanwhile may end the run first. */
function endsOfCancelled({ moment }: Cell, rules: readonly FaultRule[]): SeedPlan['ends'] {
  const mayFail = moment === 'rollback' || rules.some(({ action }) => action.kind === 'task-error');
  return mayFail ? ['cancelled', 'failed'] : ['cancelled'];
}
