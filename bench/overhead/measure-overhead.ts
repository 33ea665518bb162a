import { setTimeout as delay } from 'node:timers/promises';

import { Client } from '@temporalio/client';

import type { Codec } from '../../src/codec/codec.js';
import { WORKFLOW_TASK_QUEUE } from '../../src/contract/wire/names.js';
import { provisionInput } from '../../test/support/inputs/provision-input.js';
import { startWorkerProcess } from '../../test/support/workers/worker-process.js';
import { inBenchWorld, type BenchWorld } from '../bench-world.js';
import { cpuMsOf, residentMibOf } from '../process-usage.js';
import { closedLoop } from '../throughput/closed-loop.js';
import type { Variant } from './variants.js';

export interface OverheadPlan {
  /** Batches with and without the setting, in turns. */
  pairs: number;
  /** Runs of one batch. */
  runs: number;
  atOnce: number;
  warmUp: number;
}

/** Of one batch in a new worker process. */
export interface BatchCost {
  cpuMsPerRun: number;
  residentMib: number;
}

export interface OverheadFigures {
  without: BatchCost[];
  with: BatchCost[];
}

const SPEED = 100;
/** For what the worker sends or serves a moment later. */
const SETTLE_MS = 6_000;

/** The worker of `npm start`, with and without a setting. */
export function measureOverhead(variant: Variant, plan: OverheadPlan): Promise<OverheadFigures> {
  const figures: OverheadFigures = { without: [], with: [] };
  return inBenchWorld({ timeScale: 1 / SPEED }, async (world) => {
    for (let pair = 0; pair < plan.pairs; pair++) {
      // The order changes, because the server has a bit more to do with each batch.
      for (const setting of pair % 2 === 0 ? [undefined, variant] : [variant, undefined]) {
        const batches = setting === undefined ? figures.without : figures.with;
        batches.push(await measureBatch(world, plan, setting));
      }
    }
    return figures;
  });
}

async function measureBatch(
  { address, api, client }: BenchWorld,
  { runs, atOnce, warmUp }: OverheadPlan,
  variant?: Variant,
): Promise<BatchCost> {
  const open = await variant?.open();
  const { child, exit, says } = startWorkerProcess({
    GCORE_API_KEY: api.apiKey,
    GCORE_BASE_URL: api.baseUrl,
    GCORE_REQUESTS_PER_SECOND: '10000',
    TEMPORAL_ADDRESS: address,
    ...open?.environment,
  });
  try {
    await says('Worker is ready');
    const caller = clientWith(client, open?.codec);
    const workload = { workflow: 'provisionInstance', input: () => provisionInput() };
    const loop = { ...workload, taskQueue: WORKFLOW_TASK_QUEUE, atOnce };
    await closedLoop(caller, { ...loop, runs: warmUp });
    const cpuBefore = cpuMsOf(child.pid);
    await closedLoop(caller, { ...loop, runs });
    await delay(SETTLE_MS);
    if (open !== undefined && !(await open.isOn()))
      throw new Error(`The worker has no ${variant?.name ?? ''} with these settings`);
    return {
      cpuMsPerRun: (cpuMsOf(child.pid) - cpuBefore) / runs,
      residentMib: residentMibOf(child.pid),
    };
  } finally {
    child.kill('SIGKILL');
    await exit;
    await open?.close();
  }
}

function clientWith(client: Client, codec: Codec | undefined): Client {
  if (codec === undefined) return client;
  const { connection } = client;
  return new Client({ connection, dataConverter: { payloadCodecs: [codec] } });
}
