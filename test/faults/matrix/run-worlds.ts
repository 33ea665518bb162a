import { setTimeout as pass } from 'node:timers/promises';

import { Client, Connection } from '@temporalio/client';
import { resolve } from 'node:path';

import { isTerminal } from '../../../src/engine/core/tasks.js';
import { CREATE_INSTANCE_TASKS } from '../../../src/contract/wire/tasks.js';
import { type Simulator, type SimulatorState } from '../../../src/simulator/index.js';
import {
  inFaultWorld,
  type BreakableTemporal,
  type FaultWorld,
} from '../../support/worlds/fault-world.js';
import { createGate } from '../../support/timing/gate.js';
import { replayErrors } from '../../support/replay/replay-all.js';
import { inScenario } from '../../support/runs/scenario.js';
import { until } from '../../support/timing/until.js';
import { matrixState, mostOfOne } from '../../support/operations/matrix-cloud.js';
import { judgeSeed, type SeedResult } from './judge-seed.js';
import { planSeed, type SeedPlan } from './plan-seed.js';
import { createDraw } from './random.js';
import { isInItsCall, runSeed, type MatrixWorld } from './run-seed.js';

/** A seed's result, with the findings about its world and its history. */
export interface JudgedSeed extends SeedResult {
  /** Maximum number of resources that one request of its world ever had. More than 1 is a duplicate. */
  mostOfOne: number;
  /** Why the code no longer makes the decisions in the run's histories. Empty if it does. */
  replay: string;
}

export function isClean(seed: JudgedSeed): boolean {
  const { lost, wrongEnd, overBudget, differences, mostOfOne, replay } = seed;
  const isTrue = !lost && !wrongEnd && differences === 0 && replay === '';
  return isTrue && !overBudget && mostOfOne <= 1;
}

const SPEED = 50;
/** Longer than a late call takes on a busy machine. */
const GRACE_MS = 5_000;
/** For worlds whose lists lag for a long time. */
const LONG_GRACE_MS = 30_000;
const PROBE_MS = 100;

/**
 * Runs the seeds of one batch side by side in one world. `temporal` is the server for worlds of processes; by default
 * each has a development server of its own.
 */
export function runBatch(
  plans: readonly SeedPlan[],
  temporal?: BreakableTemporal,
): Promise<JudgedSeed[]> {
  const kind = plans[0]?.cell.kind;
  if (kind === 'worker killed') return inProcesses({ plans, temporal }, killWorkers);
  if (kind === 'Temporal stopped') return inProcesses({ plans, temporal }, stopTemporal);
  return inOneProcess(plans);
}

/** For faults of calls only: the test needs no worker process of its own. */
async function inOneProcess(plans: readonly SeedPlan[]): Promise<JudgedSeed[]> {
  const most = mostOfOne();
  let seeds: (SeedResult & { replay: string })[] = [];
  const breakers = { probeMs: PROBE_MS, keyProbeMs: PROBE_MS, requestsPerSecond: 1_000 };
  const watcher = plans.every(({ watched }) => watched);
  const policy = { reconcileGraceMs: graceOf(plans), probeMs: PROBE_MS, watcher };
  const facts = unknownFacts(plans[0]?.seed ?? 0);
  const options = { ...facts, policy, breakers, state: stateOf(plans), onChange: most.see };
  await inScenario({ speed: SPEED, ...options }, async (scenario) => {
    seeds = await withReplays(scenario, await runSeeds(scenario, plans));
  });
  return seeds.map((seed) => ({ ...seed, mostOfOne: most.most() }));
}

/** What no document says about the API: each world has one of the answers. */
function unknownFacts(seed: number) {
  const draw = createDraw(seed);
  return {
    createTask: draw.pick(CREATE_INSTANCE_TASKS),
    profileBirth: draw.pick(['on', 'off']),
  };
}

function stateOf(plans: readonly SeedPlan[]): SimulatorState {
  return matrixState((operation) =>
    plans.filter(({ cell }) => cell.of === operation).map(({ seed }) => seed),
  );
}

function graceOf(plans: readonly SeedPlan[]): number {
  return plans.some(({ cell }) => cell.under !== undefined) ? LONG_GRACE_MS : GRACE_MS;
}

interface Strike {
  seed: number;
  /** Answers the calls in which the seeds are held. */
  letGo: () => void;
}

/** For strikes on processes: worker and Temporal server have their own processes. */
async function inProcesses(
  { plans, temporal }: { plans: readonly SeedPlan[]; temporal: BreakableTemporal | undefined },
  strike: (world: FaultWorld, strike: Strike) => Promise<void>,
): Promise<JudgedSeed[]> {
  const most = mostOfOne();
  let seeds: (SeedResult & { replay: string })[] = [];
  const isStruck = plans.some(({ struckIn }) => struckIn !== undefined);
  const fast = {
    speed: SPEED,
    reconcileGraceMs: graceOf(plans),
    probeMs: PROBE_MS,
    // A call must not time out before all seeds are in their calls. A watcher's calls have no seed.
    ...(isStruck && { timeoutMs: 1.5 * STRIKE_AFTER_MS, watcher: false }),
  };
  await inFaultWorld(
    async (world) => {
      const connection = await Connection.connect({
        address: world.address,
        channelArgs: { 'grpc.max_reconnect_backoff_ms': 1_000 },
      });
      const client = new Client({ connection });
      const { simulator } = world;
      const gate = createGate();
      const matrix = {
        client,
        taskQueue: 'gcore-workflows',
        account: 'default',
        simulator,
        struck: gate.opened,
      };
      await world.startWorker();
      const seed = plans[0]?.seed ?? 0;
      const striking = allInTheirCalls(simulator, plans).then(() =>
        strike(world, { seed, letGo: gate.open }),
      );
      const ended = await runSeeds(matrix, plans);
      await striking;
      seeds = await withReplays(matrix, ended);
      await connection.close();
    },
    {
      fast,
      timeScale: 1 / SPEED,
      state: stateOf(plans),
      onChange: most.see,
      ...(temporal && { temporal }),
    },
  );
  return seeds.map((seed) => ({ ...seed, mostOfOne: most.most() }));
}

/** Judges all seeds when the cloud is quiet, because the effects of late calls count too. */
async function runSeeds(world: MatrixWorld, plans: readonly SeedPlan[]): Promise<SeedResult[]> {
  const ends = await Promise.all(
    plans.map(async (plan) => ({ plan, end: await runSeed(world, plan) })),
  );
  await until('the cloud to be quiet', () => Promise.resolve(isQuiet(world)));
  return ends.map(({ plan, end }) => judgeSeed(world, plan, end));
}

function isQuiet({ simulator }: MatrixWorld): boolean {
  const { tasks } = simulator.inventory();
  return simulator.inFlight().length === 0 && tasks.every(({ state }) => isTerminal(state));
}

/** A strike waits no longer, because other faults may keep a seed from its call. */
const STRIKE_AFTER_MS = 8_000;

/** Resolves when every seed with a call to be struck in has sent that call. */
async function allInTheirCalls(simulator: Simulator, plans: readonly SeedPlan[]): Promise<void> {
  const awaited = plans.filter(({ struckIn }) => struckIn !== undefined);
  const deadline = Date.now() + STRIKE_AFTER_MS;
  while (Date.now() < deadline) {
    if (awaited.every((plan) => isInItsCall(simulator, plan))) return;
    await pass(20);
  }
}

/** Kills the workers twice. Seeds without a call to be struck in are in any state then. */
async function killWorkers(world: FaultWorld, { seed, letGo }: Strike): Promise<void> {
  const draw = createDraw(seed);
  await world.killWorkers();
  // The API carries out the calls in flight, although nobody waits for the answers any more.
  letGo();
  await world.startWorker();
  await pass(draw.number(300, 2_500));
  await world.killWorkers();
  await world.startWorker();
}

async function stopTemporal(world: FaultWorld, { seed, letGo }: Strike): Promise<void> {
  const draw = createDraw(seed);
  await world.killTemporal();
  // The answers reach workers that cannot report them.
  letGo();
  await pass(draw.number(1_000, 6_000));
  await world.startTemporal();
}

async function withReplays(
  { client }: MatrixWorld,
  seeds: readonly SeedResult[],
): Promise<(SeedResult & { replay: string })[]> {
  const ids = seeds.map(({ seed }) => planSeed(seed).workflowId);
  const errors = await replayErrors(client, ids, { codePath: resolve('dist/workflow-bundle.js') });
  return seeds.map((seed, index) => ({ ...seed, replay: errors[index] ?? 'not replayed' }));
}
