import { setTimeout as delay } from 'node:timers/promises';

import { Client } from '@temporalio/client';
import { z } from 'zod';

import type { Codec } from '../../src/codec/codec.js';
import { WORKFLOW_TASK_QUEUE } from '../../src/contract/wire/names.js';
import { provisionInput } from '../../test/support/inputs/provision-input.js';
import { defineBench, number } from '../bench.js';
import { cpuMsOf, residentMibOf } from '../processes.js';
import { medianOf, percentile, rangeOf } from '../statistics.js';
import { inBenchWorld, killed, ready, type BenchWorld } from '../worlds.js';
import { closedLoop } from './throughput.js';
import { VARIANTS, type Variant } from './variants.js';

const SPEED = 100;
/** For what the worker sends or serves a moment later. */
const SETTLE_MS = 6_000;

const settings = z.strictObject({
  /** Batches with and without the setting, in turns. */
  pairs: number(4),
  /** Runs of one batch. */
  runs: number(300),
  atOnce: number(300),
  warmUp: number(50),
});
type Plan = z.output<typeof settings>;

export const overhead = defineBench({
  id: 'overhead',
  title: 'Overhead of settings',
  summary: 'CPU and memory of a worker with metrics, tracing or encryption, and without',
  minutes: 18,
  columns: [
    { key: 'setting', title: 'setting' },
    { key: 'without', title: 'CPU per run without', unit: 'ms' },
    { key: 'with', title: 'CPU per run with', unit: 'ms' },
    { key: 'ratio', title: 'ratio' },
    { key: 'pairs', title: 'ratio of all pairs' },
    { key: 'memoryWithout', title: 'resident without', unit: 'MiB' },
    { key: 'memoryWith', title: 'resident with', unit: 'MiB' },
  ],
  page: {
    about: `The worker of \`npm start\` with one setting more, beside the same worker without it, in turns: four pairs of 300 runs at a time of \`provisionInstance\`, each in a new
process. CPU of the whole process per run; the ratio is the median of the pairs.`,
    chart: { kind: 'bar', x: 'setting', panels: [['without', 'with']] },
  },
  settings,
  parts: Object.fromEntries(VARIANTS.map(({ name }) => [name, {}])),
  quick: { pairs: 1, runs: 4, atOnce: 4, warmUp: 2 },
  async measure(plan, part) {
    const variant = VARIANTS.find(({ name }) => name === part);
    if (variant === undefined) throw new Error(`No setting ${part}`);
    const figures = await measurePairs(variant, plan);
    const ratios = figures.with.map(
      ({ cpuMs }, pair) => cpuMs / (figures.without[pair]?.cpuMs ?? Number.NaN),
    );
    const row = {
      setting: part,
      without: medianOf(figures.without, ({ cpuMs }) => cpuMs),
      with: medianOf(figures.with, ({ cpuMs }) => cpuMs),
      ratio: percentile(ratios, 50),
      pairs: rangeOf(ratios),
      memoryWithout: medianOf(figures.without, ({ residentMib }) => residentMib),
      memoryWith: medianOf(figures.with, ({ residentMib }) => residentMib),
    };
    return { rows: [row] };
  },
});

/** Of one batch in a new worker process. */
interface BatchCost {
  /** Per run. */
  cpuMs: number;
  residentMib: number;
}

function measurePairs(
  variant: Variant,
  plan: Plan,
): Promise<Record<'without' | 'with', BatchCost[]>> {
  const figures = { without: new Array<BatchCost>(), with: new Array<BatchCost>() };
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
  { account, client, spawnProduct }: BenchWorld,
  { runs, atOnce, warmUp }: Plan,
  variant?: Variant,
): Promise<BatchCost> {
  const open = await variant?.open();
  const budget = { GCORE_REQUESTS_PER_SECOND: '10000' };
  const worker = spawnProduct({ ...account, ...budget, ...open?.environment });
  const { pid } = worker.child;
  try {
    await ready(worker);
    const caller = clientWith(client, open?.codec);
    const workload = { workflow: 'provisionInstance', input: () => provisionInput() };
    const loop = { ...workload, taskQueue: WORKFLOW_TASK_QUEUE, atOnce };
    await closedLoop(caller, { ...loop, runs: warmUp });
    const cpuBefore = cpuMsOf(pid);
    await closedLoop(caller, { ...loop, runs });
    await delay(SETTLE_MS);
    if (open !== undefined && !(await open.isOn()))
      throw new Error(`The worker has no ${variant?.name ?? ''} with these settings`);
    return { cpuMs: (cpuMsOf(pid) - cpuBefore) / runs, residentMib: residentMibOf(pid) };
  } finally {
    await killed(worker);
    await open?.close();
  }
}

function clientWith(client: Client, codec: Codec | undefined): Client {
  if (codec === undefined) return client;
  const { connection } = client;
  return new Client({ connection, dataConverter: { payloadCodecs: [codec] } });
}
