import { setTimeout as pass } from 'node:timers/promises';

import {
  WorkflowExecutionAlreadyStartedError,
  type Client,
  type WorkflowHandle,
} from '@temporalio/client';

import { abortUpdate, statusQuery } from '../../../src/contract/messages.js';
import { Phase } from '../../../src/contract/status.js';
import type { StatusDocument } from '../../../src/contract/status-document.js';
import type { Simulator } from '../../../src/simulator/index.js';
import { existingOf } from '../../support/marked.js';
import { provisionInput } from '../../support/provision-input.js';
import type { SeedPlan } from './plan-seed.js';

/** Where seeds are run: a cloud, a Temporal server and a worker, any of which may fail. */
export interface MatrixWorld {
  client: Client;
  taskQueue: string;
  account: string;
  simulator: Simulator;
}

/** What came of one seed. Everything but `seed`, `cell`, `phase`, `requests` and `seconds` must be clean. */
export interface SeedResult {
  seed: number;
  cell: string;
  phase: StatusDocument['phase'] | 'open';
  /** It did not end in time. */
  lost: boolean;
  /** It ended in a way that its faults do not explain, or reports what is not so. */
  wrongEnd: boolean;
  /** How many ids only the ledger has, or only the cloud. */
  differences: number;
  requests: number;
  overBudget: boolean;
  seconds: number;
  /** What a run that did not end is at. */
  stuckAt?: string | undefined;
}

const LOST_AFTER_MS = 150_000;
/** A plain run makes 5; every fault costs some, and a minute of looking through lists most. */
const MOST_REQUESTS = 120;

export async function runSeed(world: MatrixWorld, plan: SeedPlan): Promise<SeedResult> {
  const { workflowId, seed, cell, ends } = plan;
  await pass(plan.startsAfterMs);
  for (const rule of plan.rules) world.simulator.faults.add(rule);
  const began = Date.now();
  const deadline = began + LOST_AFTER_MS;
  await persist(deadline, () => start(world, plan));
  const handle = world.client.workflow.getHandle(workflowId);
  const status = await endOf(deadline, plan, handle);
  const { phase } = status ?? { phase: 'open' as const };
  const requests = world.simulator.requests.filter(({ userAgent }) =>
    userAgent?.endsWith(`(${workflowId})`),
  ).length;
  const { ledger, existing } = existingOf(status ?? { steps: [] }, {
    workflowId,
    inventory: world.simulator.inventory(),
  });
  return {
    seed,
    cell: `${cell.kind} × ${cell.moment}`,
    phase,
    lost: phase === 'open',
    wrongEnd: phase !== 'open' && !(isExpected(phase, ends) && isTrue(phase, world, existing)),
    // What may exist stays named where nobody can know: then only what is not named is a lie.
    differences:
      difference(existing, ledger) +
      (ends.includes(Phase.blocked) ? 0 : difference(ledger, existing)),
    requests,
    overBudget: requests > MOST_REQUESTS,
    seconds: Math.round((Date.now() - began) / 1000),
    ...(status === undefined && { stuckAt: await explainStuck(handle) }),
  };
}

async function explainStuck(handle: WorkflowHandle): Promise<string> {
  const { waiting, blocked, steps } = await handle.query(statusQuery);
  const { pendingActivities, pendingWorkflowTask } = (await handle.describe()).raw;
  const activities = (pendingActivities ?? []).map((activity) => ({
    type: activity.activityType?.name,
    attempt: activity.attempt,
    failure: activity.lastFailure?.message,
    nextAt: activity.nextAttemptScheduleTime?.seconds?.toString(),
  }));
  return JSON.stringify({ waiting, blocked, steps, activities, pendingWorkflowTask });
}

/** One that was blocked has been aborted, and has failed. */
function isExpected(phase: StatusDocument['phase'], ends: SeedPlan['ends']): boolean {
  return ends.includes(phase) || (phase === Phase.failed && ends.includes(Phase.blocked));
}

/** A run that says it succeeded has exactly one instance, and that one is up. */
function isTrue(phase: string, { simulator }: MatrixWorld, existing: readonly string[]): boolean {
  if (phase !== Phase.succeeded) return true;
  const instances = simulator.inventory().instances.filter(({ id }) => existing.includes(id));
  return instances.length === 1 && instances[0]?.status === 'ACTIVE';
}

function difference(some: readonly string[], others: readonly string[]): number {
  return some.filter((id) => !others.includes(id)).length;
}

async function start(world: MatrixWorld, { workflowId, onFailure, seed }: SeedPlan) {
  const { client, taskQueue, account } = world;
  const network_id = '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa';
  const interfaces = [
    { type: 'any_subnet' as const, network_id, floating_ip: { source: 'new' as const } },
  ];
  const instance = seed % 2 === 0 ? { name: workflowId } : { name: workflowId, interfaces };
  try {
    await client.workflow.start('provisionInstance', {
      workflowId,
      taskQueue,
      args: [{ ...provisionInput(instance, { onFailure }), account }],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
  } catch (error) {
    // The answer to the first try was lost with the server, and the run has ended since.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

const END_PHASES: readonly string[] = [Phase.succeeded, Phase.failed, Phase.cancelled];
const ASK_AGAIN_MS = 250;

/** Asks until the run has ended; `undefined` when it has not in time. */
async function endOf(
  deadline: number,
  { ends }: SeedPlan,
  handle: WorkflowHandle,
): Promise<StatusDocument | undefined> {
  while (Date.now() < deadline) {
    const status = await persist(deadline, () => handle.query(statusQuery));
    if (END_PHASES.includes(status.phase)) return status;
    const isUnknown = status.blocked?.type === 'OutcomeUnknown';
    if (isUnknown && ends.includes(Phase.blocked)) {
      await persist(deadline, () => handle.executeUpdate(abortUpdate, { args: [{}] }));
    }
    await pass(ASK_AGAIN_MS);
  }
  return undefined;
}

/** Server and worker go away and come back: whoever asks them has to ask again. */
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
