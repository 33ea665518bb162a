import type { FaultAction, FaultMatch, FaultRule } from '../../../src/simulator/index.js';
import type { Draw } from './random.js';

/** Where in its life a run meets the fault. */
export const MOMENTS = ['create', 'wait', 'verify', 'rollback'] as const;
export type MatrixMoment = (typeof MOMENTS)[number];

/** What goes wrong. The last two are done to processes, by the world that the run lives in. */
export const KINDS = [
  'request dropped',
  'response dropped',
  '5xx after processing',
  '503 before',
  '429',
  'hang',
  'truncated JSON',
  'HTML page',
  'list lag',
  'task ERROR',
  'task 404',
  'key revoked',
  'worker killed',
  'Temporal stopped',
] as const;
export type MatrixKind = (typeof KINDS)[number];

export interface Cell {
  kind: MatrixKind;
  moment: MatrixMoment;
}

export const CELLS: readonly Cell[] = KINDS.flatMap((kind) =>
  MOMENTS.map((moment) => ({ kind, moment })),
);

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

/** The longest lag of lists, below the grace time of the worlds. */
const LONGEST_LAG_MS = 900;

type Actions = Record<Exclude<MatrixKind, 'worker killed' | 'Temporal stopped'>, FaultAction>;

/** The fault of a cell, as rules for the calls of one run. */
export function rulesOf({ kind, moment }: Cell, userAgent: RegExp, draw: Draw): FaultRule[] {
  if (kind === 'worker killed' || kind === 'Temporal stopped') return [];
  const afterProcessing = draw.chance(0.5);
  const leftovers = draw.pick(['none', 'volume', 'instance']);
  const actions: Actions = {
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
    'truncated JSON': { kind: 'status', status: 200, afterProcessing: true, body: '{"tasks": ["' },
    'HTML page': {
      kind: 'status',
      status: draw.pick([200, 502]),
      afterProcessing,
      body: '<html>Bad gateway</html>',
      contentType: 'text/html',
    },
    'list lag': { kind: 'list-lag', ms: draw.number(0, LONGEST_LAG_MS) },
    'task ERROR': { kind: 'task-error', error: draw.pick(TASK_ERRORS), leftovers },
    'task 404': { kind: 'status', status: 404, body: { exception_class: 'NotFoundError' } },
    'key revoked': { kind: 'status', status: 401, body: { message: 'Bad token' } },
  };
  return [{ match: matchOf({ kind, moment }, userAgent, draw), action: actions[kind] }];
}

function matchOf({ kind, moment }: Cell, userAgent: RegExp, draw: Draw): FaultMatch {
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
  return { ...call, nth: draw.number(1, moment === 'rollback' ? 2 : 1), times: draw.number(1, 2) };
}
