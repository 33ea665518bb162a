import type { FaultMatch, FaultRule, ReceivedRequest } from '../../../src/simulator/index.js';
import { Phase } from '../../../src/engine/core/status.js';
import type { StatusDocument } from '../../../src/engine/schema/status-document.js';
import { callOf, CELLS, combinableCells, rulesOf, type Cell } from './cells.js';
import { createDraw, type Draw } from './random.js';

/** Everything that one seed decides. */
export interface SeedPlan {
  seed: number;
  /** Identifies the requests of this run. */
  workflowId: string;
  cell: Cell;
  /** Faults in addition to the one of the cell. */
  others: Cell[];
  rules: FaultRule[];
  /** The call during which a strike hits the run or its processes. */
  struckIn?: { match: FaultMatch; afterProcessing: boolean };
  onFailure: 'rollback' | 'keep';
  /** Whether a watcher polls the run's tasks. The calls of a watcher belong to no run. */
  watched: boolean;
  /** Start of the run, in milliseconds after the start of its world. */
  startsAfterMs: number;
  /** The request that starts the run also pauses it; it is resumed at once. */
  startsPaused: boolean;
  /**
   * The allowed ends of the run. Any other end is a false success, a false failure or a loss. With
   * `blocked`, the run may also wait for a person, who then aborts it.
   */
  ends: StatusDocument['phase'][];
  /** The ends if the run never makes the call to be struck in, so that nobody cancels it in time. */
  endsUnstruck?: StatusDocument['phase'][];
}

/** Few, because such a start costs two more workflow tasks. */
const STARTS_PAUSED = 0.15;

/** Maximum number of faults in addition to the one of the cell. */
const MAX_OTHERS = 2;

/** A seed always has the same plan. Consecutive seeds take consecutive cells, so a range covers all. */
export function planSeed(seed: number): SeedPlan {
  const draw = createDraw(seed);
  const round = Math.floor((seed - 1) / CELLS.length);
  const cell = CELLS[(seed - 1) % CELLS.length] ?? neverEmpty();
  const workflowId = `seed-${seed}`;
  const userAgent = new RegExp(`\\(${workflowId}\\)$`);
  const others = Array.from({ length: numberOfOthers(cell, draw) }, () => pickCell(cell, draw));
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
    startsPaused: draw.chance(STARTS_PAUSED),
    ends: [...endsOf(cell, rules), ...(isHidden(cells) ? [Phase.blocked] : [])],
    ...(cell.kind === 'cancelled' && { endsUnstruck: endsOfCancelled('succeeded', cell, rules) }),
  };
}

type Request = Pick<ReceivedRequest, 'method' | 'path' | 'userAgent'>;

/** Whether this is the call in which the seed is struck. */
export function isStruckCall({ struckIn }: SeedPlan, request: Request): boolean {
  if (struckIn === undefined) return false;
  const { method, path = '', userAgent = '' } = struckIn.match;
  return (
    request.method === method &&
    request.path.search(path) !== -1 &&
    (request.userAgent ?? '').search(userAgent) !== -1
  );
}

/**
 * None beside a pair of faults, because a third fault would only blur the effect of the pair. None
 * beside a removal whose task fails, because another fault could make the run repeat the removal.
 */
function numberOfOthers({ under, kind, moment }: Cell, draw: Draw): number {
  const isFailedRemoval = kind === 'task ERROR' && moment === 'rollback';
  return under === undefined && !isFailedRemoval ? draw.number(0, MAX_OTHERS) : 0;
}

/** The share of runs that keep their resources when they fail. */
function keepShare({ moment, under }: Cell): number {
  if (under !== undefined) return 0;
  return moment === 'rollback' ? 0.1 : 0.3;
}

/** In every second round, a strike on processes comes at no particular call. */
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

/** The shortest way to a rollback: the API refuses the reads that verify the result. */
function refusal({ of }: Cell, userAgent: RegExp): FaultRule {
  const match = { ...callOf(of, 'verify', userAgent), times: of.verifyingReads ?? 1 };
  return { match, action: { kind: 'status', status: 400 } };
}

/** A failed task that the API has forgotten: nobody can know its effect, and the run says so. */
function isHidden(cells: readonly Cell[]): boolean {
  const kinds = cells.map(({ kind }) => kind);
  return kinds.includes('task ERROR') && kinds.includes('task 404');
}

function endsOf(cell: Cell, rules: readonly FaultRule[]): SeedPlan['ends'] {
  const isAlone = rules.length === 1;
  if (cell.kind === 'cancelled') return endsOfCancelled('cancelled', cell, rules);
  const failures = rules.filter(({ action }) => action.kind === 'task-error');
  const isFatal =
    cell.of.repeatsFailedTasks !== true &&
    failures.some(
      ({ action }) => action.kind === 'task-error' && action.error === 'internal error',
    );
  if (cell.moment !== 'rollback' && !isFatal) return ['succeeded'];
  // If a lost answer hides the error, the run removes the leftovers and sends the call again, or
  // repeats the read. The refusal may also hit another read than the one that verifies.
  const isOfProcess = cell.kind === 'worker killed' || cell.kind === 'Temporal stopped';
  return isAlone && !isOfProcess ? ['failed'] : ['failed', 'succeeded'];
}

/** A cancel counts if it comes before the end. A failure in the meantime may end the run first. */
function endsOfCancelled(
  end: 'cancelled' | 'succeeded',
  { moment }: Cell,
  rules: readonly FaultRule[],
): SeedPlan['ends'] {
  const mayFail = moment === 'rollback' || rules.some(({ action }) => action.kind === 'task-error');
  return mayFail ? [end, 'failed'] : [end];
}
