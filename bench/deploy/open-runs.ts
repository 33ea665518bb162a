import { setTimeout as delay } from 'node:timers/promises';

import type { Client, WorkflowHandle } from '@temporalio/client';

import { statusQuery } from '../../src/engine/core/messages.js';
import { Phase } from '../../src/engine/core/status.js';
import type { StatusDocument } from '../../src/engine/schema/status-document.js';
import { createSimulator, type Simulator, type SimulatorState } from '../../src/simulator/index.js';
import { createDraw, type Draw } from '../../test/faults/matrix/random.js';
import { MATRIX_OPERATIONS } from '../../test/support/operations/index.js';
import type { MatrixOperation } from '../../test/support/operations/matrix-operation.js';

/** One run of the bench. */
export interface PlannedRun {
  seed: number;
  name: string;
  of: MatrixOperation;
  startsAfterMs: number;
  /** Of a protection that ends by itself. */
  holdFor?: string;
  cancelledAfterMs?: number;
}

export interface EndedPlan {
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

/** The simulated cloud that the runs need. */
export function stateFor(plans: readonly PlannedRun[]): SimulatorState {
  // New ids must come after the ids in this state.
  const empty = { ...createSimulator().snapshot(), sequence: 10_000 };
  return MATRIX_OPERATIONS.reduce<SimulatorState>((all, of) => {
    const seeds = plans.filter((plan) => plan.of === of).map(({ seed }) => seed);
    const { volumes = [], ...own } = of.stateFor?.(seeds) ?? {};
    const state = { ...all, ...of.state, ...own };
    return { ...state, volumes: [...state.volumes, ...volumes] };
  }, empty);
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

export interface Verdict {
  lost: string[];
  wrongEnds: string[];
  differences: number;
  /** Mutating calls that a run has made more often than another run of its kind. */
  repeated: string[];
}

/** Judges all runs when the cloud is quiet. */
export function judgeRuns(simulator: Simulator, ends: readonly EndedPlan[]): Verdict {
  const verdict: Verdict = { lost: [], wrongEnds: [], differences: 0, repeated: [] };
  for (const { plan, status, result } of ends) {
    const { name, of, seed } = plan;
    if (status === undefined) {
      verdict.lost.push(name);
      continue;
    }
    const ended = { seed, name, onFailure: 'rollback', status, result, simulator } as const;
    // A protection whose time is over has been taken back: nothing of it is left.
    const phase = plan.holdFor === undefined ? status.phase : Phase.failed;
    const { differences, isTrue } = of.judge({
      ...{ ...ended, status: { ...status, phase }, isHidden: false },
    });
    verdict.differences += differences;
    if (!isTrue || !isExpected(plan, status)) {
      verdict.wrongEnds.push(`${name} (${of.operation}: ${status.phase})`);
    }
    const creates = createsOf(simulator, plan);
    if (creates > 1) verdict.repeated.push(`${name}: ${creates} creating calls`);
  }
  return verdict;
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

/** Remembers the maximum number of resources that one request ever had. */
export function mostOfOne() {
  let maximum = 0;
  return {
    see: (state: SimulatorState): void => {
      const counts = MATRIX_OPERATIONS.map((each) => each.most?.(state) ?? 0);
      maximum = Math.max(maximum, ...counts);
    },
    most: (): number => maximum,
  };
}
