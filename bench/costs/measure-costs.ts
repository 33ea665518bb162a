import type { WorkflowHandle } from '@temporalio/client';

import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { scalePollPolicy } from '../../src/engine/core/run-policy.js';
import type { OperationCase } from '../../test/support/operations/tested-operation.js';
import { inScenario, type Scenario } from '../../test/support/runs/scenario.js';
import { countBy, typeOf } from '../measure-run.js';

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

const READS_OF_TASKS = 'GET /cloud/v1/tasks';

/** The cloud is so much faster than the polls that each wait ends with its first look. */
const CLOUD_SPEED = 10_000;
const POLL_SPEED = 100;

/** Carries out one plain request, with an account and a simulated cloud of its own. */
export async function measureCosts(measured: OperationCase): Promise<RunCosts> {
  const costs: RunCosts[] = [];
  const { state, input, operation } = measured;
  const policy = { poll: scalePollPolicy(DEFAULT_POLL_POLICY, 1 / POLL_SPEED) };
  const options = { speed: CLOUD_SPEED, policy, replays: false, ...(state && { state }) };
  await inScenario(options, async ({ start, simulator }) => {
    const run = await start(operation, input('costs-7'));
    await run.result();
    costs.push(await costsOf(run, simulator));
  });
  const [only] = costs;
  if (only === undefined) throw new Error('Nothing was measured');
  return only;
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
    payloadBytes: sizes.reduce((sum, size) => sum + size, 0),
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
