import { setTimeout as delay } from 'node:timers/promises';

import type { Client, WorkflowHandle } from '@temporalio/client';
import proto from '@temporalio/proto';

import { statusQuery } from '../../src/engine/core/messages.js';
import { Phase } from '../../src/engine/core/status.js';
import type { StatusDocument } from '../../src/engine/schema/status-document.js';
import type { Simulator } from '../../src/simulator/index.js';
import { createDraw, type Draw } from '../../test/faults/matrix/random.js';
import { MATRIX_OPERATIONS } from '../../test/support/operations/index.js';
import type { MatrixOperation } from '../../test/support/operations/matrix-operation.js';
import type { WorkerProcess } from '../../test/support/workers/worker-process.js';

/** One run of the bench. */
interface PlannedRun {
  seed: number;
  name: string;
  of: MatrixOperation;
  startsAfterMs: number;
  /** Of a protection that ends by itself. */
  holdFor?: string;
  cancelledAfterMs?: number;
}

interface EndedPlan {
  plan: PlannedRun;
  /** `undefined`: it has not ended in time. */
  status: StatusDocument | undefined;
  result: unknown;
}

/** Starts are spread over this time, so that each deployment meets runs at all their steps. */
export const STARTS_WITHIN_MS = 20_000;
const CANCELLED_SHARE = 0.1;
const HOLD_SHARE = 0.5;
const LOST_AFTER_MS = 900_000;
const ASK_EVERY_MS = 500;
const ANSWER_WITHIN_MS = 300_000;

/** Half of the runs create instances; the other operations share the rest. */
export function planRuns(count: number): PlannedRun[] {
  const provision = operation('provisionInstance');
  const others = MATRIX_OPERATIONS.filter((each) => each !== provision);
  return Array.from({ length: count }, (_, at): PlannedRun => {
    const seed = at + 1;
    const draw = createDraw(seed);
    const of = at % 2 === 0 ? provision : (others[(at >> 1) % others.length] ?? provision);
    const startsAfterMs = draw.number(0, STARTS_WITHIN_MS);
    return { seed, name: `seed-${seed}`, of, startsAfterMs, ...fateOf(of, draw) };
  });
}

function fateOf(of: MatrixOperation, draw: Draw): Pick<PlannedRun, 'holdFor' | 'cancelledAfterMs'> {
  if (draw.chance(CANCELLED_SHARE)) return { cancelledAfterMs: draw.number(500, 30_000) };
  const isHeld = of.operation === 'protectIp' && draw.chance(HOLD_SHARE);
  return isHeld ? { holdFor: `${draw.number(30, 60)} seconds` } : {};
}

function operation(name: MatrixOperation['operation']): MatrixOperation {
  const found = MATRIX_OPERATIONS.find((each) => each.operation === name);
  if (found === undefined) throw new Error(`the matrix has no ${name}`);
  return found;
}

/** The runs of one deployment. */
export function createRuns(client: Client, plans: readonly PlannedRun[]) {
  const ends: EndedPlan[] = [];
  let open = 0;
  const carry = async (plan: PlannedRun): Promise<void> => {
    await delay(plan.startsAfterMs);
    open += 1;
    ends.push(await carryOut(client, plan));
    open -= 1;
  };
  return {
    ends,
    open: () => open,
    begin: (): Promise<unknown> => {
      const ended = Promise.all(plans.map(carry));
      // A deployment that fails ends the bench, and its error says why.
      ended.catch(() => undefined);
      return ended;
    },
  };
}

/** Starts the run and waits for its end. */
async function carryOut(client: Client, plan: PlannedRun): Promise<EndedPlan> {
  const { seed, name, of, holdFor, cancelledAfterMs } = plan;
  const input = { ...of.input({ seed, name, onFailure: 'rollback' }), ...(holdFor && { holdFor }) };
  const handle = await client.workflow.start(of.operation, {
    workflowId: name,
    taskQueue: 'gcore-workflows',
    args: [input],
  });
  if (cancelledAfterMs !== undefined) void cancelLater(handle, cancelledAfterMs);
  const ended = handle.result().then(
    (result: unknown) => ({ isOver: true, result }),
    () => ({ isOver: true, result: undefined }),
  );
  const lost = delay(LOST_AFTER_MS, { isOver: false, result: undefined }, { ref: false });
  const { isOver, result } = await Promise.race([ended, lost]);
  const status = isOver ? await askForStatus(client, name) : undefined;
  return { plan, status, result };
}

async function cancelLater(handle: WorkflowHandle, afterMs: number): Promise<void> {
  await delay(afterMs);
  try {
    await handle.cancel();
  } catch {
    // It has ended.
  }
}

/** A run that has ended answers as soon as a worker is there. */
async function askForStatus(client: Client, name: string): Promise<StatusDocument | undefined> {
  const until = Date.now() + ANSWER_WITHIN_MS;
  while (Date.now() < until) {
    try {
      return await client.workflow.getHandle(name).query(statusQuery);
    } catch {
      // A worker is just being replaced.
      await delay(ASK_EVERY_MS);
    }
  }
  return undefined;
}

/** Judges all runs when the cloud is quiet. Each fault by what it is. */
export function judgeRuns(simulator: Simulator, ends: readonly EndedPlan[]) {
  const lost: string[] = [];
  const wrongEnds: string[] = [];
  const differing: string[] = [];
  const repeated: string[] = [];
  for (const { plan, status, result } of ends) {
    const { name, of, seed } = plan;
    if (status === undefined) {
      lost.push(name);
      continue;
    }
    const ended = { seed, name, onFailure: 'rollback', status, result, simulator } as const;
    // A protection whose time is over has been taken back: nothing of it is left.
    const phase = plan.holdFor === undefined ? status.phase : Phase.failed;
    const { differences, isTrue } = of.judge({
      ...ended,
      status: { ...status, phase },
      isHidden: false,
    });
    if (differences > 0) differing.push(`${name}: ${differences}`);
    if (!isTrue || !isExpected(plan, status)) {
      wrongEnds.push(`${name} (${of.operation}: ${status.phase})`);
    }
    const creates = createsOf(simulator, plan);
    // Each run of a kind makes one thing.
    if (creates > 1) repeated.push(`${name}: ${creates} creating calls`);
  }
  return {
    'lost runs': lost,
    'wrong ends': wrongEnds,
    'creating calls made twice': repeated,
    'runs whose ledger differs': differing,
  };
}

function isExpected({ cancelledAfterMs }: PlannedRun, { phase }: StatusDocument): boolean {
  if (phase === Phase.succeeded) return true;
  return cancelledAfterMs !== undefined && phase === Phase.cancelled;
}

/** How often the run has sent what makes something. Each run makes one thing. */
function createsOf(simulator: Simulator, { name, of }: PlannedRun): number {
  const { method, path } = of.calls.create ?? {};
  if (method !== 'POST' || path === undefined) return 0;
  return simulator.requests.filter(
    (request) =>
      request.method === method &&
      (path instanceof RegExp ? path.test(request.path) : path === request.path) &&
      request.userAgent?.endsWith(`(${name})`),
  ).length;
}

const { WorkflowTaskFailedCause: Cause } = proto.temporal.api.enums.v1;

/** The server rejects a task during which a signal arrived, and gives it out again. No worker is at fault. */
const NEWS = Cause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND;

interface TaskFailures {
  histories: number;
  /** Tasks that a worker failed, by what it said. */
  failed: string[];
  /** Tasks that the server gave out again, because something had arrived meanwhile. */
  overtaken: number;
}

/** Reads all histories of the namespace. */
export async function readTaskFailures(client: Client): Promise<TaskFailures> {
  const found: TaskFailures = { histories: 0, failed: [], overtaken: 0 };
  for await (const { workflowId, runId, type } of client.workflow.list()) {
    // Temporal keeps the deployments themselves in workflows of its own.
    if (type.startsWith('temporal-sys')) continue;
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    found.histories += 1;
    for (const { workflowTaskFailedEventAttributes: failed } of events ?? []) {
      if (!failed) continue;
      if (failed.cause === NEWS) found.overtaken += 1;
      else found.failed.push(`${workflowId}: ${failed.failure?.message ?? String(failed.cause)}`);
    }
  }
  return found;
}

/** Lines of the log that speak of a failed workflow task. Repeated failures are in no history. */
export function failuresInLogs(workers: readonly WorkerProcess[]): string[] {
  return workers.flatMap(({ lines }) =>
    lines.filter((line) => /TMPRL1100|[Nn]ondeterminism|Failing workflow task/.test(line)),
  );
}
