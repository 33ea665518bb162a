import { setTimeout as delay } from 'node:timers/promises';

import { Client, Connection } from '@temporalio/client';

import { residentMibOf } from '../../../bench/processes.js';
import type { Operation } from '../../../src/contract/wire/names.js';
import type { Operations } from '../../../src/contract/operations/index.js';
import type { FaultMatch } from '../../../src/simulator/index.js';
import type { WorkerProcess } from '../workers/worker-process.js';
import { inFaultWorld, type FaultWorld, type FaultWorldOptions } from '../worlds/fault-world.js';

export interface Kills {
  /** Number of times that the only worker gets `kill -9`, spread over the run. */
  kills: number;
  onProgress?: (text: string) => void;
}

/** The figures of a run whose worker was killed several times. */
export interface KillFigures {
  kills: number;
  requests: number;
  longestHistory: number;
  histories: number;
  /** Samples of the worker's resident memory, in MiB. */
  memory: number[];
  seconds: number;
}

export interface KilledRun<O extends Operation, F> {
  operation: O;
  input: Omit<Operations[O]['input'], 'account'>;
  /** The calls that change something. */
  changes: Pick<FaultMatch, 'method' | 'path'>;
  /** The minimum number of requests of the run. The kills are spread evenly over them. */
  minimum: number;
  world: Pick<FaultWorldOptions, 'state' | 'videoFailureShare'>;
  /** Compares the result of the run with the cloud. */
  judge: (world: FaultWorld, result: Operations[O]['result']) => F;
}

const WORKFLOW_ID = 'under-kills';
const SPEED = 100;
const SAMPLE_MS = 100;
/** The API carries out a call, then waits with its answer. A kill in between loses the answer. */
const ANSWER_MS = 100;

export async function runUnderKills<O extends Operation, F>(
  run: KilledRun<O, F>,
  manifestRoot: string,
  kills: Kills,
): Promise<F & KillFigures> {
  const pace = { speed: SPEED, reconcileGraceMs: 2_000, probeMs: 500, timeoutMs: 15_000 };
  let figures: (F & KillFigures) | undefined;
  await inFaultWorld(
    async (world) => {
      figures = await measure(world, run, kills);
    },
    { timeScale: 1 / SPEED, fast: { ...pace, manifestRoot }, ...run.world },
  );
  if (figures === undefined) throw new Error('nothing was measured');
  return figures;
}

async function measure<O extends Operation, F>(
  world: FaultWorld,
  { operation, input, changes, minimum, judge }: KilledRun<O, F>,
  kills: Kills,
): Promise<F & KillFigures> {
  const { simulator, gcore } = world;
  const action = { kind: 'delay', ms: ANSWER_MS, afterProcessing: true } as const;
  simulator.faults.add({ match: { ...changes, times: Infinity }, action });
  const startedAt = Date.now();
  const worker = await world.startWorker();
  await gcore.start(operation, { requestId: 'x', workflowId: WORKFLOW_ID, input });
  const ended = gcore.result(operation, WORKFLOW_ID);
  const killed = await killAgainAndAgain(world, { ...kills, minimum, worker, ended });
  return {
    ...judge(world, await ended),
    ...killed,
    ...(await historiesOf(world)),
    requests: simulator.requests.length,
    seconds: Math.round((Date.now() - startedAt) / 1000),
  };
}

interface Killing extends Kills {
  minimum: number;
  worker: WorkerProcess;
  ended: Promise<unknown>;
}

async function killAgainAndAgain(
  world: FaultWorld,
  { kills, minimum, worker: first, ended, onProgress }: Killing,
): Promise<Pick<KillFigures, 'kills' | 'memory'>> {
  const memory: number[] = [];
  let worker = first;
  let killed = 0;
  const run = { isOpen: true };
  const end = (): void => {
    run.isOpen = false;
  };
  ended.then(end, end);
  while (run.isOpen) {
    await delay(SAMPLE_MS);
    memory.push(residentMiB(worker));
    const isDue = world.simulator.requests.length >= ((killed + 0.5) * minimum) / kills;
    if (killed >= kills || !isDue) continue;
    killed += 1;
    await world.killWorkers();
    worker = await world.startWorker();
    onProgress?.(`kill ${killed} of ${kills}, ${world.simulator.requests.length} requests`);
  }
  return { kills: killed, memory };
}

/** 0 where it has ended, or where the system does not tell. */
function residentMiB({ child }: WorkerProcess): number {
  return Math.round(residentMibOf(child.pid)) || 0;
}

async function historiesOf({ address }: FaultWorld) {
  const connection = await Connection.connect({ address });
  const { workflow } = new Client({ connection });
  const lengths: number[] = [];
  for await (const run of workflow.list({ query: `WorkflowId = '${WORKFLOW_ID}'` })) {
    const { historyLength } = await workflow.getHandle(WORKFLOW_ID, run.runId).describe();
    lengths.push(historyLength);
  }
  await connection.close();
  return { longestHistory: Math.max(...lengths), histories: lengths.length };
}
