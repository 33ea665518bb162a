import { readFileSync } from 'node:fs';

import type { WorkflowHandle } from '@temporalio/client';
import { z } from 'zod';

import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { scalePollPolicy } from '../../src/engine/core/run-policy.js';
import { OPERATION_CASES } from '../../test/support/operations/index.js';
import type { OperationCase } from '../../test/support/operations/tested-operation.js';
import { inScenario as inRealScenario, type Scenario } from '../../test/support/runs/scenario.js';
import { defineBench, number } from '../bench.js';
import type { FigureRow } from '../document/figure.js';
import { typeOf } from '../measure-run.js';
import { countBy, sumOf } from '../statistics.js';
import { withTemporal } from '../worlds.js';

const BUNDLE = 'dist/workflow-bundle.js';
const KIB = 1_024;
const READS_OF_TASKS = 'GET /cloud/v1/tasks';
/** The cloud is so much faster than the polls that each wait ends with its first look. */
const CLOUD_SPEED = 3_000;
const POLL_SPEED = 100;

/** What one run without problems costs. All but `events` is the same each time. */
export interface RunCosts {
  /** Requests by kind, without reads of tasks: the watcher makes these in its cycles, for all runs of the account. */
  requests: Record<string, number>;
  /** What the workflow asked of the server, by type: `ACTIVITY_TASK_SCHEDULED`, `TIMER_STARTED` … */
  commands: Record<string, number>;
  /** All events. The number of workflow tasks depends on what ends at the same moment. */
  events: number;
  /** Bytes of inputs and results of the run and of its activities, and of the largest of them. */
  payloadBytes: number;
  largestPayloadBytes: number;
}

export const costs = defineBench({
  id: 'costs',
  title: 'What one run costs',
  summary: 'requests, commands, events and payloads of a run of each operation',
  minutes: 1,
  columns: [
    { key: 'operation', title: 'operation' },
    { key: 'where', title: 'with' },
    { key: 'requests', title: 'requests' },
    { key: 'commands', title: 'commands' },
    { key: 'events', title: 'events' },
    { key: 'payloads', title: 'payloads', unit: 'KiB' },
    { key: 'largest', title: 'largest', unit: 'KiB' },
  ],
  page: {
    about: `A run of each operation without problems, with a small input (\`listSshKeys\`: 2,500 keys). *Requests* are without the reads of tasks, which the watcher makes for all runs of an
account together. *Commands* are what the workflow asks of the Temporal server: activities, timers, children, markers. *Payloads* are the inputs and results of the run and its
activities. \`test/bench/budgets.sim.test.ts\` holds all of these exactly; events may differ by a few workflow tasks.`,
    chart: { kind: 'bar', x: 'operation', series: 'where', panels: [['requests'], ['events']] },
  },
  settings: z.strictObject({ operations: number(OPERATION_CASES.length) }),
  parts: { 'all operations': {} },
  quick: { operations: 2 },
  measure: ({ operations }) =>
    withTemporal({ exactTimers: true }, async () => {
      const rows: FigureRow[] = [];
      for (const each of OPERATION_CASES.slice(0, operations)) {
        rows.push(toRow(each, await measureCosts(each, inRealScenario)));
      }
      return { rows, remarks: [describeBundle()] };
    }),
});

/** As `test/replay/stored-histories.test.ts` counts it, which limits it. */
function describeBundle(): string {
  const code = readFileSync(BUNDLE, 'utf8')
    .replace(/\/\/# sourceMappingURL=.*$/s, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
  return `The workflow bundle has ${Math.round(code.length / KIB)} KiB without its comments.`;
}

function toRow({ operation, where = 'a plain input' }: OperationCase, run: RunCosts): FigureRow {
  return {
    operation,
    where,
    events: run.events,
    requests: sumOf(Object.values(run.requests)),
    commands: sumOf(Object.values(run.commands)),
    payloads: run.payloadBytes / KIB,
    largest: run.largestPayloadBytes / KIB,
  };
}

/** Carries out one plain request, with an account and a simulated cloud of its own. */
export function measureCosts(
  { state, input, operation }: OperationCase,
  inScenario: typeof inRealScenario,
): Promise<RunCosts> {
  const policy = { poll: scalePollPolicy(DEFAULT_POLL_POLICY, 1 / POLL_SPEED) };
  const options = { speed: CLOUD_SPEED, policy, replays: false, ...(state && { state }) };
  return inScenario(options, async ({ start, simulator }) => {
    const run = await start(operation, input('costs-7'));
    await run.result();
    return costsOf(run, simulator);
  });
}

/** Events that the workflow makes, and no outcome of them. */
const COMMANDS =
  /^(ACTIVITY_TASK_SCHEDULED|TIMER_STARTED|MARKER_RECORDED|UPSERT_|WORKFLOW_PROPERTIES_)|_INITIATED$/;
/** Without those of a lock, which may end before or after its run. */
const WITH_PAYLOADS =
  /^(WORKFLOW_EXECUTION_(STARTED|COMPLETED)|ACTIVITY_TASK_\w+|MARKER_RECORDED)$/;

async function costsOf(
  run: WorkflowHandle,
  { requests }: Scenario['simulator'],
): Promise<RunCosts> {
  const { events } = await run.fetchHistory();
  const all = (events ?? []).map((event) => ({ type: typeOf(event), event }));
  const sizes = all.flatMap(({ type, event }) =>
    WITH_PAYLOADS.test(type) ? payloadSizes(event) : [],
  );
  const kinds = requests.map(({ method, path }) => `${method} ${generalize(path)}`);
  const types = all.map(({ type }) => type);
  return {
    requests: countOf(kinds.filter((kind) => !kind.startsWith(READS_OF_TASKS))),
    commands: countOf(types.filter((type) => COMMANDS.test(type))),
    events: all.length,
    payloadBytes: sumOf(sizes),
    largestPayloadBytes: Math.max(0, ...sizes),
  };
}

function countOf(names: readonly string[]): Record<string, number> {
  return Object.fromEntries(countBy(names, String));
}

/** `/cloud/v1/tasks/5f1…` is the same kind of request as `/cloud/v1/tasks/9c0…`. */
function generalize(path: string): string {
  return path.replaceAll(/\/(?:[0-9a-f-]{36}|\d+)(?=\/|$)/g, '/:id');
}

/** Sizes of the payloads below this value. What has `data` in bytes is a payload. */
function payloadSizes(value: unknown): number[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  const data: unknown = Reflect.get(value, 'data');
  if (data instanceof Uint8Array) return [data.length];
  // The other `data` is the SDK's own record in a marker: times, with as many digits as they need.
  return Object.entries(value).flatMap(([key, each]) => (key === 'data' ? [] : payloadSizes(each)));
}
