import { setTimeout as pass } from 'node:timers/promises';

import { Client, Connection } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { resolve } from 'node:path';

import { createBreakers } from '../../../src/activities/http/circuit-breaker.js';
import { inFaultWorld, type FaultWorld } from '../../support/fault-world.js';
import { mostPerMarker } from '../../support/marked.js';
import { inScenario } from '../../support/scenario.js';
import { planSeed, type SeedPlan } from './plan-seed.js';
import { createDraw } from './random.js';
import { runSeed, type MatrixWorld, type SeedResult } from './run-seed.js';

/** A seed's result, with what its world and its history say. */
export interface JudgedSeed extends SeedResult {
  /** The most instances that ever carried one marker in its world: more than 1 is a duplicate. */
  mostPerMarker: number;
  /** Why the code no longer makes the decisions that the history recorded; empty when it does. */
  replay: string;
}

export function isClean(seed: JudgedSeed): boolean {
  const { lost, wrongEnd, overBudget, differences, mostPerMarker, replay } = seed;
  const isTrue = !lost && !wrongEnd && differences === 0 && replay === '';
  return isTrue && !overBudget && mostPerMarker <= 1;
}

const SPEED = 50;
const GRACE_MS = 1_500;
const PROBE_MS = 100;

/** Seeds of one batch live in one world, side by side. */
export function runBatch(plans: readonly SeedPlan[]): Promise<JudgedSeed[]> {
  const kind = plans[0]?.cell.kind;
  if (kind === 'worker killed') return inProcesses(plans, killWorkers);
  if (kind === 'Temporal stopped') return inProcesses(plans, stopTemporal);
  return inOneProcess(plans);
}

/** Only calls go wrong: the worker may live in this process. */
async function inOneProcess(plans: readonly SeedPlan[]): Promise<JudgedSeed[]> {
  const most = mostPerMarker();
  let seeds: (SeedResult & { replay: string })[] = [];
  const breakers = createBreakers({
    probeMs: PROBE_MS,
    keyProbeMs: PROBE_MS,
    requestsPerSecond: 1_000,
  });
  const policy = { reconcileGraceMs: GRACE_MS, probeMs: PROBE_MS };
  const calls = { breakers };
  await inScenario({ speed: SPEED, policy, calls, onChange: most.see }, async (scenario) => {
    seeds = await withReplays(
      scenario,
      await Promise.all(plans.map((plan) => runSeed(scenario, plan))),
    );
  });
  return seeds.map((seed) => ({ ...seed, mostPerMarker: most.most() }));
}

/** Worker and Temporal server are processes, and something happens to them meanwhile. */
async function inProcesses(
  plans: readonly SeedPlan[],
  disturb: (world: FaultWorld, seed: number) => Promise<void>,
): Promise<JudgedSeed[]> {
  const most = mostPerMarker();
  let seeds: (SeedResult & { replay: string })[] = [];
  const fast = { speed: SPEED, reconcileGraceMs: GRACE_MS, probeMs: PROBE_MS };
  await inFaultWorld(
    async (world) => {
      const connection = await Connection.connect({
        address: world.address,
        channelArgs: { 'grpc.max_reconnect_backoff_ms': 1_000 },
      });
      const client = new Client({ connection });
      const { simulator } = world;
      const matrix = { client, taskQueue: 'gcore-workflows', account: 'default', simulator };
      await world.startWorker();
      const disturbance = disturb(world, plans[0]?.seed ?? 0);
      const ended = await Promise.all(plans.map((plan) => runSeed(matrix, plan)));
      await disturbance;
      seeds = await withReplays(matrix, ended);
      await connection.close();
    },
    { fast, timeScale: 1 / SPEED, onChange: most.see },
  );
  return seeds.map((seed) => ({ ...seed, mostPerMarker: most.most() }));
}

/** Twice, at moments that the seed decides; runs are in all their states then. */
async function killWorkers(world: FaultWorld, seed: number): Promise<void> {
  const draw = createDraw(seed);
  for (let times = 0; times < 2; times++) {
    await pass(draw.number(300, 2_500));
    await world.killWorkers();
    await world.startWorker();
  }
}

async function stopTemporal(world: FaultWorld, seed: number): Promise<void> {
  const draw = createDraw(seed);
  await pass(draw.number(300, 2_500));
  await world.killTemporal();
  await pass(draw.number(1_000, 6_000));
  await world.startTemporal();
}

/** In one worker for all of them: each worker reads the bundle anew, and the memory for that is never given back. */
async function withReplays(
  { client }: MatrixWorld,
  seeds: readonly SeedResult[],
): Promise<(SeedResult & { replay: string })[]> {
  const workflowBundle = { codePath: resolve('dist/workflow-bundle.js') };
  async function* histories() {
    for (const { seed } of seeds) {
      const { workflowId } = planSeed(seed);
      yield { workflowId, history: await client.workflow.getHandle(workflowId).fetchHistory() };
    }
  }
  const errors = new Map<string, string>();
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle },
    histories(),
  )) {
    errors.set(workflowId, error === undefined ? '' : String(error));
  }
  return seeds.map((seed) => ({
    ...seed,
    replay: errors.get(planSeed(seed.seed).workflowId) ?? 'not replayed',
  }));
}
