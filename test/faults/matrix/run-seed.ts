import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';

import {
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowHandle,
} from '@temporalio/client';
import proto from '@temporalio/proto';

import {
  abortUpdate,
  pauseUpdate,
  resumeUpdate,
  statusQuery,
} from '../../../src/engine/core/messages.js';
import { Phase } from '../../../src/engine/core/status.js';
import type { StatusDocument } from '../../../src/engine/schema/status-document.js';
import type { FaultRule, Simulator } from '../../../src/simulator/index.js';
import { isStruckCall, type SeedPlan } from './plan-seed.js';

/** The place where seeds run: a cloud, a Temporal server and a worker. Each of them may fail. */
export interface MatrixWorld {
  client: Client;
  taskQueue: string;
  account: string;
  simulator: Simulator;
  /** Missing where no seed needs a crowd. */
  api?: { baseUrl: string; apiKey: string };
  /** Settles when the strike has hit the processes of this world. Missing if there is no strike. */
  struck?: Promise<void>;
}

/** The end of one seed, not judged yet. */
export interface SeedEnd {
  /** `undefined` if the run has not ended in time. */
  status: StatusDocument | undefined;
  /** The run's result if it succeeded. */
  result?: unknown;
  seconds: number;
  stuckAt?: string | undefined;
}

const LOST_AFTER_MS = 240_000;
/** Folder for histories of runs that have not ended, as the protobuf message `History`. */
const LOST_RUNS = '.cache/lost-runs';

export async function runSeed(world: MatrixWorld, plan: SeedPlan): Promise<SeedEnd> {
  await pass(plan.startsAfterMs);
  if (plan.cell.under === 'crowd') await crowd(world, plan);
  // This rule must come first, because the simulator takes the first rule that matches a request.
  if (plan.struckIn !== undefined) world.simulator.faults.add(holding(world, plan.struckIn));
  for (const rule of plan.rules) world.simulator.faults.add(rule);
  const began = Date.now();
  const deadline = began + LOST_AFTER_MS;
  await persist(deadline, () => start(world, plan));
  if (plan.startsPaused) await persist(deadline, () => resume(world, plan));
  const handle = world.client.workflow.getHandle(plan.workflowId);
  if (plan.cell.kind === 'cancelled') await cancel(world, plan);
  const status = await endOf(deadline, plan, handle);
  const hasResult = status?.phase === Phase.succeeded;
  return {
    status,
    ...(hasResult && { result: await persist(deadline, () => handle.result()) }),
    seconds: Math.round((Date.now() - began) / 1000),
    ...(status === undefined && { stuckAt: await explainStuck(handle) }),
  };
}

async function crowd({ api }: MatrixWorld, { cell, workflowId }: SeedPlan): Promise<void> {
  if (api === undefined || cell.of.crowd === undefined) throw new Error('This world has no crowd');
  await cell.of.crowd(api, workflowId);
}

/** Long enough to be noticed, and shorter than the client timeout. */
const HELD_MS = 500;

/** Holds the call in which the run is struck, until the strike or for a fixed time. */
function holding(
  { struck }: MatrixWorld,
  { match, afterProcessing }: NonNullable<SeedPlan['struckIn']>,
): FaultRule {
  const how = struck === undefined ? { ms: HELD_MS } : { until: struck };
  return { match, action: { kind: 'delay', afterProcessing, ...how } };
}

/** Cancels the run during the call of its moment. A run that another fault ends earlier stays ended. */
async function cancel({ simulator, client }: MatrixWorld, plan: SeedPlan): Promise<void> {
  const handle = client.workflow.getHandle(plan.workflowId);
  const run = { hasEnded: false };
  const end = (): void => {
    run.hasEnded = true;
  };
  void handle.result().then(end, end);
  while (!isInItsCall(simulator, plan) && !run.hasEnded) await pass(LOOK_AGAIN_MS);
  await handle.cancel();
}

const LOOK_AGAIN_MS = 20;

/** Whether the call in which the seed is struck is in flight now. */
export function isInItsCall(simulator: Simulator, plan: SeedPlan): boolean {
  return simulator.inFlight().some((call) => isStruckCall(plan, call));
}

/** Says what a lost run was doing. Stores its history, because the loss may not happen again. */
async function explainStuck(handle: WorkflowHandle): Promise<string> {
  const history = await handle.fetchHistory();
  mkdirSync(LOST_RUNS, { recursive: true });
  const file = `${LOST_RUNS}/${handle.workflowId}.history`;
  writeFileSync(file, proto.temporal.api.history.v1.History.encode(history).finish());
  const status = await handle.query(statusQuery).catch((error: unknown) => String(error));
  if (typeof status === 'string') return `${status}; see ${file}`;
  const { waiting, blocked, steps } = status;
  const { pendingActivities, pendingWorkflowTask } = (await handle.describe()).raw;
  const activities = (pendingActivities ?? []).map((activity) => ({
    type: activity.activityType?.name,
    attempt: activity.attempt,
    failure: activity.lastFailure?.message,
    nextAt: activity.nextAttemptScheduleTime?.seconds?.toString(),
  }));
  return JSON.stringify({ waiting, blocked, steps, activities, pendingWorkflowTask });
}

async function start(world: MatrixWorld, plan: SeedPlan): Promise<void> {
  const { client, taskQueue, account } = world;
  const { workflowId, cell, onFailure, seed } = plan;
  const input = cell.of.input({ seed, name: workflowId, onFailure });
  const options = {
    workflowId,
    taskQueue,
    args: [{ ...input, account }],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
  } as const;
  try {
    if (plan.startsPaused) {
      const begin = new WithStartWorkflowOperation(cell.of.operation, options);
      // One id: the server may have taken the first try, whose answer is lost.
      const once = { updateId: 'pause', startWorkflowOperation: begin };
      await client.workflow.executeUpdateWithStart(pauseUpdate, once);
    } else await client.workflow.start(cell.of.operation, options);
  } catch (error) {
    // The server went away before it answered the first try, and the run has ended since.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

async function resume({ client }: MatrixWorld, { workflowId }: SeedPlan): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  try {
    await handle.executeUpdate(resumeUpdate, { updateId: 'resume', args: [{}] });
  } catch (error) {
    // The answer to the first try was lost, and the run has ended since.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

const END_PHASES: readonly string[] = [Phase.succeeded, Phase.failed, Phase.cancelled];
const ASK_AGAIN_MS = 250;

/** Queries the run until it has ended. `undefined` if it does not end in time. */
async function endOf(
  deadline: number,
  { ends }: SeedPlan,
  handle: WorkflowHandle,
): Promise<StatusDocument | undefined> {
  while (Date.now() < deadline) {
    // No answer until the deadline means that no worker can continue the run: it is lost.
    const status = await persist(deadline, () => handle.query(statusQuery)).catch(() => undefined);
    if (status === undefined) return undefined;
    if (END_PHASES.includes(status.phase)) return status;
    const isUnknown = status.blocked?.type === 'OutcomeUnknown';
    if (isUnknown && ends.includes(Phase.blocked)) {
      await persist(deadline, () => handle.executeUpdate(abortUpdate, { args: [{}] }));
    }
    await pass(ASK_AGAIN_MS);
  }
  return undefined;
}

/** Retries until the deadline, because server and worker go away and come back. */
async function persist<T>(deadline: number, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pass(ASK_AGAIN_MS);
    }
  }
}
