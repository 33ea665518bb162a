import type { FaultAction, FaultMatch, FaultRule } from '../../../src/simulator/index.js';
import { MATRIX_OPERATIONS } from '../../support/operations/index.js';
import {
  KINDS,
  MOMENTS,
  SCARCE_KINDS,
  type MatrixKind,
  type MatrixMoment,
  type MatrixOperation,
  type ScarceKind,
} from '../../support/operations/matrix-operation.js';
import type { Draw } from './random.js';

export interface Cell {
  of: MatrixOperation;
  kind: MatrixKind;
  moment: MatrixMoment;
  /**
   * A second fault, which hides the effect of the first. With `list lag`, lists are late. With `lost
   * answer`, the answer to the creating call is lost too, so the run still looks for that call. With `crowd`,
   * lists are late, and others have made more of the same name than a page of a list shows.
   */
  under?: 'list lag' | 'lost answer' | 'crowd';
}

/** Faults that leave a create in doubt. They are dangerous while lists do not show it yet. */
const DOUBTS = [
  'response dropped',
  '5xx after processing',
  'hang',
  'carried out late',
  'truncated JSON',
  'task ERROR',
  'task 404',
  'worker killed',
] as const satisfies readonly MatrixKind[];

/** Each fault that an operation can meet, once. */
function cellsOf(of: MatrixOperation): Cell[] {
  const canOccur = ({ kind, moment, under }: Cell): boolean =>
    of.calls[moment] !== undefined &&
    (under !== 'crowd' || of.crowd !== undefined) &&
    ![kind, ...hiddenBy(under)].some((each) => of.without?.includes(each));
  const cells: Cell[] = [
    ...KINDS.flatMap((kind) => MOMENTS.map((moment): Cell => ({ of, kind, moment }))),
    ...DOUBTS.map((kind): Cell => ({ of, kind, moment: 'create', under: 'list lag' })),
    ...SCARCE_KINDS.map((kind): Cell => ({
      of,
      kind,
      moment: of.calls.create === undefined ? 'verify' : 'create',
    })),
    { of, kind: 'cancelled', moment: 'wait', under: 'list lag' },
    // The run's first read of tasks is then its lookup for the lost call.
    { of, kind: 'cancelled', moment: 'wait', under: 'lost answer' },
    { of, kind: 'response dropped', moment: 'create', under: 'crowd' },
  ];
  return cells.filter(canOccur);
}

/** Faults of the creating call that hide the effect of another fault. */
function hiddenBy(under: Cell['under']): ('list lag' | 'response dropped')[] {
  if (under === undefined) return [];
  return under === 'lost answer' ? ['list lag', 'response dropped'] : ['list lag'];
}

export const CELLS: readonly Cell[] = MATRIX_OPERATIONS.flatMap(cellsOf);

export function nameOf({ of, kind, moment, under }: Cell): string {
  return `${of.operation}: ${kind} × ${moment}${under === undefined ? '' : ` × ${under}`}`;
}

/** Kinds that come beside no other cell: they hit a whole process or all calls, or end the run. */
const LONE_KINDS: readonly MatrixKind[] = [
  ...SCARCE_KINDS,
  'key revoked',
  'cancelled',
  'worker killed',
  'Temporal stopped',
];

/** Faults that may occur beside another one. Cells with a long lag are not among them. */
export function combinableCells(of: MatrixOperation): Cell[] {
  return CELLS.filter(
    (cell) => cell.of === of && cell.under === undefined && !LONE_KINDS.includes(cell.kind),
  );
}

/** Matches the calls of one run at a moment. */
export function callOf(of: MatrixOperation, moment: MatrixMoment, userAgent: RegExp): FaultMatch {
  const call = of.calls[moment];
  if (call === undefined) throw new RangeError(`${of.operation} has no calls of "${moment}"`);
  return { ...call, userAgent };
}

/** Texts of a task in ERROR: a failure, one that a person can fix, and one that ends with time. */
const TASK_ERRORS = ['internal error', 'Quota limit exceeded', 'No valid host was found'] as const;

const LEFTOVERS = ['none', 'volume', 'instance'] as const;

/** Below the grace time of the worlds. */
const MAX_LAG_MS = 900;
/** Longer than the time between two calls on a busy machine. These worlds have a longer grace time. */
const HIDING_LAG_MS = { least: 20_000, most: 22_000 };

/** The default `timeoutMs` of the worlds' workers. */
const CALL_TIMEOUT_MS = 2_000;
const MAX_DELAY_MS = 900;

type CallKind = Exclude<
  MatrixKind,
  ScarceKind | 'cancelled' | 'worker killed' | 'Temporal stopped'
>;

/** The fault of a cell, as rules for the calls of one run. */
export function rulesOf(cell: Cell, userAgent: RegExp, draw: Draw): FaultRule[] {
  const { of, kind, under } = cell;
  const hiding = {
    'list lag': () => ({
      kind: 'list-lag' as const,
      ms: draw.number(HIDING_LAG_MS.least, HIDING_LAG_MS.most),
    }),
    'response dropped': () => ({ kind: 'drop-response' as const }),
  };
  const hidden = hiddenBy(under).map((each): FaultRule => ({
    match: callOf(of, 'create', userAgent),
    action: hiding[each](),
  }));
  if (kind === 'cancelled' || kind === 'worker killed' || kind === 'Temporal stopped') {
    return hidden;
  }
  if (kind === 'rate limit' || kind === 'flaky reads') return [scarceRule(kind, userAgent, draw)];
  const isHidden = under !== undefined;
  const action = actionsOf({ of, isHidden }, draw)[kind];
  return [{ match: matchOf(cell, userAgent, draw), action }, ...hidden];
}

/** Far below the pace of the worlds, but a run of 40 requests still ends within a minute. */
const SCARCE_PER_SECOND = [1, 2, 3] as const;

function scarceRule(kind: ScarceKind, userAgent: RegExp, draw: Draw): FaultRule {
  if (kind === 'flaky reads') {
    const match = { method: 'GET', userAgent, every: draw.number(2, 3), times: Infinity };
    return { match, action: { kind: 'status', status: 503 } };
  }
  const retryAfter = draw.chance(0.5);
  const perSecond = draw.pick(SCARCE_PER_SECOND);
  const burst = draw.number(1, 3);
  return { match: { userAgent }, action: { kind: 'rate-limit', perSecond, burst, retryAfter } };
}

function actionsOf(
  { of, isHidden }: { of: MatrixOperation; isHidden: boolean },
  draw: Draw,
): Record<CallKind, FaultAction> {
  const afterProcessing = draw.chance(0.5) || isHidden;
  const error = isHidden ? 'internal error' : draw.pick(TASK_ERRORS);
  const [nothing, ...something] = of.leftovers ?? LEFTOVERS;
  const least = something[0] ?? nothing;
  const leftovers = isHidden
    ? draw.pick([least, ...something])
    : draw.pick([nothing, ...something]);
  return {
    'request dropped': { kind: 'drop-request' },
    'response dropped': { kind: 'drop-response' },
    '5xx after processing': {
      kind: 'status',
      status: draw.pick([500, 502, 504]),
      afterProcessing: true,
    },
    '503 before': { kind: 'status', status: 503 },
    '429': { kind: 'status', status: 429, ...(draw.chance(0.5) && { retryAfter: '1' }) },
    hang: { kind: 'hang', afterProcessing },
    'carried out late': {
      kind: 'delay',
      ms: CALL_TIMEOUT_MS * (of.timeoutFactor ?? 1) + draw.number(100, MAX_DELAY_MS),
    },
    'truncated JSON': { kind: 'status', status: 200, afterProcessing: true, body: '{"tasks": ["' },
    'HTML page': {
      kind: 'status',
      status: draw.pick([200, 502]),
      afterProcessing,
      body: '<html>Bad gateway</html>',
      contentType: 'text/html',
    },
    'list lag': { kind: 'list-lag', ms: draw.number(0, MAX_LAG_MS) },
    'task ERROR': { kind: 'task-error', error, leftovers },
    'task 404': { kind: 'status', status: 404, body: { exception_class: 'NotFoundError' } },
    'key revoked': { kind: 'status', status: 401, body: { message: 'Bad token' } },
  };
}

function matchOf({ of, kind, moment, under }: Cell, userAgent: RegExp, draw: Draw): FaultMatch {
  const call = callOf(of, moment, userAgent);
  // The creating call makes lists lag and tasks fail, whatever the moment of the cell.
  if (kind === 'list lag') return callOf(of, 'create', userAgent);
  if (kind === 'task ERROR')
    return callOf(of, moment === 'rollback' ? 'rollback' : 'create', userAgent);
  if (kind === 'task 404') {
    return { ...callOf(of, 'wait', userAgent), path: /^\/cloud\/v1\/tasks\/./, times: Infinity };
  }
  // Starting with a call of this moment, the API refuses the key for some calls.
  if (kind === 'key revoked') return { ...call, times: draw.number(1, 4) };
  // A fault beside another one occurs once.
  const times = under === undefined && kind !== 'carried out late' ? draw.number(1, 2) : 1;
  const later = moment === 'rollback' ? draw.number(0, 1) : 0;
  const readAhead = moment === 'verify' ? (of.verifyingReads ?? 1) - 1 : 0;
  return { ...call, nth: (call.nth ?? 1) + later, times: times + readAhead };
}
