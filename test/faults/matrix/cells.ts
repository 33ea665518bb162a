import type { FaultAction, FaultMatch, FaultRule } from '../../../src/simulator/index.js';
import type { Draw } from './random.js';

/** Where in its life a run meets the fault. */
export const MOMENTS = ['create', 'wait', 'verify', 'rollback'] as const;
export type MatrixMoment = (typeof MOMENTS)[number];

/** What goes wrong. The last three are done to the run or its processes, not to its calls. */
export const KINDS = [
  'request dropped',
  'response dropped',
  '5xx after processing',
  '503 before',
  '429',
  'hang',
  'carried out late',
  'truncated JSON',
  'HTML page',
  'list lag',
  'task ERROR',
  'task 404',
  'key revoked',
  'cancelled',
  'worker killed',
  'Temporal stopped',
] as const;
export type MatrixKind = (typeof KINDS)[number];

export interface Cell {
  kind: MatrixKind;
  moment: MatrixMoment;
  /** A second fault, which hides what the first one did. */
  under?: 'list lag';
}

/** What leaves a create in doubt: dangerous where the lists do not show it yet either. */
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

export const CELLS: readonly Cell[] = [
  ...KINDS.flatMap((kind) => MOMENTS.map((moment): Cell => ({ kind, moment }))),
  ...DOUBTS.map((kind): Cell => ({ kind, moment: 'create', under: 'list lag' })),
  { kind: 'cancelled', moment: 'wait', under: 'list lag' },
];

export function nameOf({ kind, moment, under }: Cell): string {
  return `${kind} × ${moment}${under === undefined ? '' : ` × ${under}`}`;
}

/** What cannot be one of many: it is done to a whole process, or ends the run. */
const LONE_KINDS: readonly MatrixKind[] = [
  'key revoked',
  'cancelled',
  'worker killed',
  'Temporal stopped',
];

export const COMBINABLE = CELLS.filter(({ kind }) => !LONE_KINDS.includes(kind));

/** The calls of one run, by moment. */
export function callOf(moment: MatrixMoment, userAgent: RegExp): FaultMatch {
  const calls = {
    create: { method: 'POST', path: /^\/cloud\/v2\/instances\// },
    wait: { method: 'GET', path: /^\/cloud\/v1\/tasks/ },
    verify: { method: 'GET', path: /^\/cloud\/v1\/instances\/\d+\/\d+\/./ },
    rollback: { method: 'DELETE', path: /./ },
  };
  return { ...calls[moment], userAgent };
}

/** Texts of a task in ERROR: a failure, and two that a person or time can mend. */
const TASK_ERRORS = ['internal error', 'Quota limit exceeded', 'No valid host was found'] as const;

/** The lag of lists: longer than a busy worker takes from one call to the next, below the grace time of the worlds. */
const LONGEST_LAG_MS = 9_000;
const HIDING_LAG_MS = 8_000;

/** A worker of the worlds gives a call up then; see `timeoutMs` there. */
const CALL_TIMEOUT_MS = 2_000;
const LONGEST_DELAY_MS = 900;

type CallKind = Exclude<MatrixKind, 'cancelled' | 'worker killed' | 'Temporal stopped'>;

/** The fault of a cell, as rules for the calls of one run. */
export function rulesOf(cell: Cell, userAgent: RegExp, draw: Draw): FaultRule[] {
  const { kind, under } = cell;
  const hidden: FaultRule[] =
    under === undefined
      ? []
      : [
          {
            match: callOf('create', userAgent),
            action: { kind: 'list-lag', ms: draw.number(HIDING_LAG_MS, LONGEST_LAG_MS) },
          },
        ];
  if (kind === 'cancelled' || kind === 'worker killed' || kind === 'Temporal stopped') {
    return hidden;
  }
  const isHidden = under !== undefined;
  const action = actionsOf({ isHidden }, draw)[kind];
  return [{ match: matchOf(cell, userAgent, draw), action }, ...hidden];
}

function actionsOf({ isHidden }: { isHidden: boolean }, draw: Draw): Record<CallKind, FaultAction> {
  const afterProcessing = draw.chance(0.5) || isHidden;
  const error = isHidden ? 'internal error' : draw.pick(TASK_ERRORS);
  const leftovers = isHidden
    ? draw.pick(['volume', 'instance'])
    : draw.pick(['none', 'volume', 'instance']);
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
      ms: CALL_TIMEOUT_MS + draw.number(100, LONGEST_DELAY_MS),
    },
    'truncated JSON': { kind: 'status', status: 200, afterProcessing: true, body: '{"tasks": ["' },
    'HTML page': {
      kind: 'status',
      status: draw.pick([200, 502]),
      afterProcessing,
      body: '<html>Bad gateway</html>',
      contentType: 'text/html',
    },
    'list lag': { kind: 'list-lag', ms: draw.number(0, LONGEST_LAG_MS) },
    'task ERROR': { kind: 'task-error', error, leftovers },
    'task 404': { kind: 'status', status: 404, body: { exception_class: 'NotFoundError' } },
    'key revoked': { kind: 'status', status: 401, body: { message: 'Bad token' } },
  };
}

function matchOf({ kind, moment, under }: Cell, userAgent: RegExp, draw: Draw): FaultMatch {
  const call = callOf(moment, userAgent);
  // Lists lag, and creations fail, from the call on that creates: the moment only shows it.
  if (kind === 'list lag') return callOf('create', userAgent);
  if (kind === 'task ERROR')
    return callOf(moment === 'rollback' ? 'rollback' : 'create', userAgent);
  if (kind === 'task 404') {
    return { ...callOf('wait', userAgent), path: /^\/cloud\/v1\/tasks\/./, times: Infinity };
  }
  // A key is refused whatever is called; from a call of that moment on, for a while.
  if (kind === 'key revoked') return { ...call, times: draw.number(1, 4) };
  // Only once, where it comes together with another fault.
  const times = under === undefined && kind !== 'carried out late' ? draw.number(1, 2) : 1;
  return { ...call, nth: draw.number(1, moment === 'rollback' ? 2 : 1), times };
}
