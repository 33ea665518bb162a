import { setTimeout as delay } from 'node:timers/promises';

import type { WorkflowHandle } from '@temporalio/client';
import { z } from 'zod';

import { DEFAULT_RECONCILE_GRACE_MS } from '../../src/engine/core/run-policy.js';
import type { Simulator } from '../../src/simulator/index.js';
import { OPERATION_CASES } from '../../test/support/operations/index.js';
import type { OperationCase } from '../../test/support/operations/tested-operation.js';
import { inScenario, type Scenario } from '../../test/support/runs/scenario.js';
import { defineBench, number, numbers } from '../bench.js';
import type { FigureRow } from '../document/figure.js';
import { withTemporal } from '../worlds.js';

const OPERATIONS = [
  'provisionInstance',
  'protectIp',
  'modifyKvStore',
  'importVideos',
  'listSshKeys',
  'grantSftpAccess',
] as const;
const TOO_MANY_REQUESTS = 429;
const LEARNING_MS = 60_000;
const IN_PRODUCTION = {
  speed: 1,
  realPolls: true,
  replays: false,
  requestsPerSecond: 10,
  timeoutMs: 15_000,
  policy: { reconcileGraceMs: DEFAULT_RECONCILE_GRACE_MS },
};

const settings = z.strictObject({
  /** Requests a second that the API allows. */
  limits: numbers(0.2, 1, 2, 5),
  /** Runs of a cell that start together. */
  runs: number(1),
  /** A run that is open after this time counts as open. */
  minutes: number(20),
});
type Plan = z.output<typeof settings>;

export const limits = defineBench({
  id: 'limits',
  title: 'Operations against a small limit',
  summary: 'each operation against an API that allows fewer requests than configured',
  minutes: 2,
  columns: [
    { key: 'operation', title: 'operation' },
    { key: 'limit', title: 'limit' },
    { key: 'retryAfter', title: 'Retry-After' },
    { key: 'seconds', title: 'start to end', unit: 's' },
    { key: 'requests', title: 'requests' },
    { key: 'refused', title: 'of these 429', unit: '%' },
    { key: 'later', title: '429 after the first minute', unit: '%' },
  ],
  page: {
    about: `Each operation against an API that allows 0.2 to 5 requests a second, although ten are configured, and against one without a limit.
In real time, with the waits and policies of production, all at the same time, each with an account of its own; half of them with \`Retry-After\`. A client that
gives up after its few retries fails here.`,
    chart: { kind: 'bar', x: 'operation', series: 'limit', panels: [['seconds'], ['refused']] },
  },
  settings,
  parts: { 'all operations': {} },
  quick: { limits: '5', minutes: 2 },
  measure: (plan) =>
    withTemporal({ exactTimers: true }, async () => {
      const cells = cellsOf(plan.limits).map((cell) => measureCell(cell, plan));
      const measured = await Promise.all(cells);
      const wrong = measured.flatMap((each) => each.wrong);
      return {
        rows: measured.map(({ row }) => row),
        remarks: wrong,
        checks: [{ promise: 'Every run succeeds', kept: wrong.length === 0 }],
      };
    }),
});

interface Cell {
  operation: OperationCase;
  /** `undefined`: no limit. The others are compared with it. */
  perSecond: number | undefined;
  retryAfter: boolean;
}

/** Half of the cells with Retry-After: each operation and each limit has both. */
function cellsOf(perSeconds: readonly number[]): Cell[] {
  return OPERATIONS.flatMap((name, row) =>
    [...perSeconds, undefined].map((perSecond, column) => ({
      operation: caseOf(name),
      perSecond,
      retryAfter: (row + column) % 2 === 0,
    })),
  );
}

function caseOf(name: OperationCase['operation']): OperationCase {
  const found = OPERATION_CASES.find(({ operation }) => operation === name);
  if (found === undefined) throw new Error(`No case of ${name}`);
  return found;
}

interface MeasuredCell {
  row: FigureRow;
  /** Runs that failed or had not ended in time. */
  wrong: string[];
}

/** With an account and a simulated cloud of its own. */
function measureCell(cell: Cell, plan: Plan): Promise<MeasuredCell> {
  const { state } = cell.operation;
  return inScenario({ ...IN_PRODUCTION, ...(state && { state }) }, (scenario) =>
    measureRuns(scenario, cell, plan),
  );
}

async function measureRuns(
  { simulator, start }: Scenario,
  { operation: { operation, input }, perSecond, retryAfter }: Cell,
  { runs: count, minutes }: Plan,
): Promise<MeasuredCell> {
  if (perSecond !== undefined) {
    simulator.faults.add({ match: {}, action: { kind: 'rate-limit', perSecond, retryAfter } });
  }
  const begun = performance.now();
  const names = Array.from({ length: count }, (_, index) => `limits-${index + 1}`);
  const runs = await Promise.all(names.map((name) => start(operation, input(name))));
  const wrong = (await Promise.all(runs.map((run) => wrongIn(run, minutes * 60_000)))).flat();
  const seconds = (performance.now() - begun) / 1_000;
  const { requests } = simulator;
  const later = requests.filter(({ at }) => at >= (requests[0]?.at ?? 0) + LEARNING_MS);
  const limit = perSecond === undefined ? 'none' : `${perSecond}/s`;
  return {
    row: {
      operation,
      limit,
      retryAfter: perSecond !== undefined && retryAfter ? 'yes' : 'no',
      seconds: wrong.includes(OPEN) ? null : seconds,
      requests: requests.length,
      refused: refusedIn(requests),
      later: refusedIn(later),
    },
    wrong: wrong.map((text) => `${operation}, limit ${limit}: ${text}`),
  };
}

/** In percent; NaN without requests. */
function refusedIn(requests: Simulator['requests']): number {
  const refused = requests.filter(({ status }) => status === TOO_MANY_REQUESTS).length;
  return (100 * refused) / requests.length;
}

const OPEN = 'not ended in time';

/** Why a run did not succeed; nothing for one that did. */
async function wrongIn(run: WorkflowHandle, mostMs: number): Promise<string[]> {
  const stop = new AbortController();
  const ended = run.result().then(
    () => new Array<string>(),
    (error: unknown) => [String(error)],
  );
  const late = delay(mostMs, [OPEN], { signal: stop.signal }).catch(() => [OPEN]);
  const wrong = await Promise.race([ended, late]);
  stop.abort();
  if (wrong.includes(OPEN)) await run.terminate('the bench has ended');
  return wrong;
}
