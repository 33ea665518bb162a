/**
 * `npm run bench:limits -- [--minutes 20] [--limits 0.2,1,2,5] [--runs 1]`: each operation against an API that allows
 * fewer requests a second than the configured ten, in real time and with the policies of production. All
 * runs go at once, each with an account and a simulated cloud of its own.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import type { WorkflowHandle } from '@temporalio/client';

import { DEFAULT_RECONCILE_GRACE_MS } from '../src/contract/run-policy.js';
import type { Simulator } from '../src/simulator/index.js';
import { OPERATION_CASES } from '../test/support/operations/index.js';
import type { OperationCase } from '../test/support/operations/tested-operation.js';
import { inScenario, type Scenario } from '../test/support/runs/scenario.js';
import { withTemporal } from './with-temporal.js';

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

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    limits: { type: 'string', default: '0.2,1,2,5' },
    runs: { type: 'string', default: '1' },
  },
});
const mostMs = Number(values.minutes) * 60_000;
const runCount = Number(values.runs);
const limits = [...values.limits.split(',').map(Number), NO_LIMIT];

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

/** Half of the cells with Retry-After: each operation and each limit has both. */
const cells: Cell[] = OPERATIONS.flatMap((name, row) =>
  limits.map((perSecond, column) => ({
    operation: caseOf(name),
    perSecond,
    retryAfter: (row + column) % 2 === 0,
  })),
);

await withTemporal({ exactTimers: true }, async () => {
  const rows = await Promise.all(cells.map(async (cell) => toLine(cell, await measureCell(cell))));
  const header = 'operation\tlimit\tRetry-After\tseconds\trequests\t429\tafter the first minute';
  process.stdout.write(`${[header, ...rows].join('\n')}\n`);
});

function caseOf(name: (typeof OPERATIONS)[number]): OperationCase {
  const found = OPERATION_CASES.find(({ operation }) => operation === name);
  if (found === undefined) throw new Error(`No case of ${name}`);
  return found;
}

async function measureCell(cell: Cell): Promise<Figures> {
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
      measured.push(await measureRuns(scenario, cell));
    },
  );
  const [figures] = measured;
  if (figures === undefined) throw new Error('The scenario ended without figures');
  process.stderr.write(`${toLine(cell, figures)}\n`);
  return figures;
}

async function measureRuns(
  { simulator, start }: Scenario,
  { operation: { operation, input }, perSecond, retryAfter }: Cell,
): Promise<Figures> {
  if (Number.isFinite(perSecond)) {
    simulator.faults.add({ match: {}, action: { kind: 'rate-limit', perSecond, retryAfter } });
  }
  const begun = performance.now();
  const names = Array.from({ length: runCount }, (_, index) => `limits-${index + 1}`);
  const runs = await Promise.all(names.map((name) => start(operation, input(name))));
  const outcomes = await Promise.all(runs.map(outcomeOf));
  const seconds = (performance.now() - begun) / 1_000;
  const { requests } = simulator;
  const firstAt = requests[0]?.at ?? 0;
  return {
    seconds,
    open: outcomes.filter((outcome) => outcome === 'open').length,
    failures: outcomes.flatMap((outcome) => (typeof outcome === 'object' ? [outcome.failure] : [])),
    ...count(requests),
    later: count(requests.filter(({ at }) => at >= firstAt + LEARNING_MS)),
  };
}

function count(requests: Simulator['requests']): { requests: number; refused: number } {
  const refused = requests.filter(({ status }) => status === TOO_MANY_REQUESTS).length;
  return { requests: requests.length, refused };
}

async function outcomeOf(run: WorkflowHandle): Promise<'ended' | 'open' | { failure: string }> {
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

function toLine({ operation, perSecond, retryAfter }: Cell, figures: Figures): string {
  const { seconds, open, failures, requests, later } = figures;
  const isLimited = Number.isFinite(perSecond);
  return [
    operation.operation,
    isLimited ? `${perSecond}/s` : 'none',
    isLimited && retryAfter ? 'yes' : 'no',
    open === 0 ? Math.round(seconds) : `${open} NOT ENDED`,
    requests,
    shareOf(figures),
    later.requests === 0 ? '-' : shareOf(later),
    ...failures.slice(0, 1).map((failure) => `${failures.length} FAILED: ${failure}`),
  ].join('\t');
}

function shareOf({ requests, refused }: { requests: number; refused: number }): string {
  return `${((100 * refused) / requests).toFixed(1)} % (${refused})`;
}
