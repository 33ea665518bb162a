import { setTimeout as delay } from 'node:timers/promises';

import type { WorkflowHandle } from '@temporalio/client';

import { DEFAULT_RECONCILE_GRACE_MS } from '../../src/engine/core/run-policy.js';
import type { Simulator } from '../../src/simulator/index.js';
import { OPERATION_CASES } from '../../test/support/operations/index.js';
import type { OperationCase } from '../../test/support/operations/tested-operation.js';
import { inScenario, type Scenario } from '../../test/support/runs/scenario.js';

const OPERATIONS = [
  'provisionInstance',
  'protectIp',
  'modifyKvStore',
  'importVideos',
  'listSshKeys',
  'grantSftpAccess',
] as const;
const REQUESTS_PER_SECOND = 10;
const HTTP_TIMEOUT_MS = 15_000;
/** No rate limit: what the others are compared with. */
const NO_LIMIT = Infinity;
const TOO_MANY_REQUESTS = 429;
const LEARNING_MS = 60_000;

export interface LimitsPlan {
  /** Requests a second that the API allows. */
  limits: readonly number[];
  /** Runs of a cell that start together. */
  runs: number;
  /** A run that is open after this time counts as open. */
  mostMs: number;
  onCell?: (figures: CellFigures) => void;
}

export interface CellFigures extends Figures {
  operation: string;
  /** Infinity: no limit. */
  perSecond: number;
  retryAfter: boolean;
}

interface Cell {
  operation: OperationCase;
  perSecond: number;
  retryAfter: boolean;
}

interface Figures {
  /** Until all runs of the cell had ended. */
  seconds: number;
  /** Runs that had not ended in time. */
  open: number;
  /** Why runs ended without success. */
  failures: string[];
  requests: number;
  refused: number;
  /** After the first minute. */
  later: { requests: number; refused: number };
}

/** Measures all cells side by side, each with an account and a simulated cloud of its own. */
export function measureLimits(plan: LimitsPlan): Promise<CellFigures[]> {
  return Promise.all(
    cellsOf(plan.limits).map(async (cell) => {
      const { operation, ...rest } = cell;
      const figures = {
        operation: operation.operation,
        ...rest,
        ...(await measureCell(cell, plan)),
      };
      plan.onCell?.(figures);
      return figures;
    }),
  );
}

/** Half of the cells with Retry-After: each operation and each limit has both. */
function cellsOf(limits: readonly number[]): Cell[] {
  return OPERATIONS.flatMap((name, row) =>
    [...limits, NO_LIMIT].map((perSecond, column) => ({
      operation: caseOf(name),
      perSecond,
      retryAfter: (row + column) % 2 === 0,
    })),
  );
}

function caseOf(name: (typeof OPERATIONS)[number]): OperationCase {
  const found = OPERATION_CASES.find(({ operation }) => operation === name);
  if (found === undefined) throw new Error(`No case of ${name}`);
  return found;
}

async function measureCell(cell: Cell, plan: LimitsPlan): Promise<Figures> {
  const measured: Figures[] = [];
  await inScenario(
    {
      speed: 1,
      realPolls: true,
      replays: false,
      requestsPerSecond: REQUESTS_PER_SECOND,
      timeoutMs: HTTP_TIMEOUT_MS,
      policy: { reconcileGraceMs: DEFAULT_RECONCILE_GRACE_MS },
      ...(cell.operation.state && { state: cell.operation.state }),
    },
    async (scenario) => {
      measured.push(await measureRuns(scenario, cell, plan));
    },
  );
  const [figures] = measured;
  if (figures === undefined) throw new Error('The scenario ended without figures');
  return figures;
}

async function measureRuns(
  { simulator, start }: Scenario,
  { operation: { operation, input }, perSecond, retryAfter }: Cell,
  { runs: count, mostMs }: LimitsPlan,
): Promise<Figures> {
  if (Number.isFinite(perSecond)) {
    simulator.faults.add({ match: {}, action: { kind: 'rate-limit', perSecond, retryAfter } });
  }
  const begun = performance.now();
  const names = Array.from({ length: count }, (_, index) => `limits-${index + 1}`);
  const runs = await Promise.all(names.map((name) => start(operation, input(name))));
  const outcomes = await Promise.all(runs.map((run) => outcomeOf(run, mostMs)));
  const seconds = (performance.now() - begun) / 1_000;
  const { requests } = simulator;
  const firstAt = requests[0]?.at ?? 0;
  return {
    seconds,
    open: outcomes.filter((outcome) => outcome === 'open').length,
    failures: outcomes.flatMap((outcome) => (typeof outcome === 'object' ? [outcome.failure] : [])),
    ...countRefused(requests),
    later: countRefused(requests.filter(({ at }) => at >= firstAt + LEARNING_MS)),
  };
}

function countRefused(requests: Simulator['requests']): { requests: number; refused: number } {
  const refused = requests.filter(({ status }) => status === TOO_MANY_REQUESTS).length;
  return { requests: requests.length, refused };
}

async function outcomeOf(
  run: WorkflowHandle,
  mostMs: number,
): Promise<'ended' | 'open' | { failure: string }> {
  const stop = new AbortController();
  const ended = run.result().then(
    () => 'ended' as const,
    (error: unknown) => ({ failure: String(error) }),
  );
  const late = delay(mostMs, 'open' as const, { signal: stop.signal }).catch(() => 'open' as const);
  const outcome = await Promise.race([ended, late]);
  stop.abort();
  if (outcome === 'open') await run.terminate('the bench has ended');
  return outcome;
}
