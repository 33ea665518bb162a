import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

import { createGcoreWorkflows } from '../../src/client/index.js';
import { freePort } from '../../src/dev/temporal-ports.js';
import { mostOfOne } from '../../test/support/operations/matrix-cloud.js';
import { inBatches } from '../../test/support/timing/in-batches.js';
import { defineBench, number } from '../bench.js';
import type { FigureRow, Measured } from '../document/figure.js';
import { startWatched, type MemorySample } from '../processes.js';
import { slopeOf, sumOf } from '../statistics.js';
import { tell } from '../tell.js';
import { inBenchWorld, type BenchWorld } from '../worlds.js';
import {
  carryOut,
  judge,
  soakFaults,
  soakRequest,
  soakState,
  type SoakVerdict,
} from './soak-runs.js';

const MINUTE_MS = 60_000;
const MINUTES_PER_HOUR = 60;
const SAMPLE_MS = 10_000;
const TOLD_EVERY = 6;
const JUDGED_AT_ONCE = 10;
/** Caches fill and code is compiled in this share of the time. */
const WARM_UP = 0.25;
const ROWS = 12;
const MAX_NAMED = 5;

const settings = z.strictObject({
  minutes: number(120),
  perMinute: number(20),
  /** Share of the requests that meet a fault. */
  faults: number(0.05),
});
type Plan = z.output<typeof settings>;

export const soak = defineBench({
  id: 'soak',
  title: 'Soak',
  summary: 'two hours of runs and faults: memory, failed runs, duplicates, differences of ledgers',
  minutes: 130,
  columns: [
    { key: 'minute', title: 'minute' },
    { key: 'runs', title: 'runs' },
    { key: 'worker', title: 'worker resident', unit: 'MiB' },
    { key: 'workerHeap', title: 'worker heap', unit: 'MiB' },
    { key: 'gateway', title: 'gateway resident', unit: 'MiB' },
    { key: 'gatewayHeap', title: 'gateway heap', unit: 'MiB' },
  ],
  page: {
    about: `Two hours of 20 runs a minute, all operations in turns, started and awaited through the gateway, while every twentieth request to the API meets a fault: lost requests and answers, 502,
503, 429, broken JSON, HTML, a late answer, no answer. Worker and gateway are processes of their own with the settings of production, in real time. At the end each run's ledger is compared with
what exists. The slope is by least squares after the first quarter of the time.`,
    chart: {
      kind: 'line',
      x: 'minute',
      panels: [
        ['worker', 'gateway'],
        ['workerHeap', 'gatewayHeap'],
      ],
    },
    isApart: true,
  },
  settings,
  parts: { 'worker and gateway': {} },
  quick: { minutes: 0.5, perMinute: 14, faults: 0 },
  measure: measureSoak,
});

interface Sample {
  minute: number;
  runs: number;
  worker: MemorySample;
  gateway: MemorySample;
}

/** Worker and gateway in processes of their own, with the settings of production. */
function measureSoak(plan: Plan): Promise<Measured> {
  const most = mostOfOne();
  const count = Math.round(plan.minutes * plan.perMinute);
  return inBenchWorld({ state: soakState(count), onChange: most.see }, async (world) => {
    for (const rule of soakFaults(plan.faults)) world.simulator.faults.add(rule);
    const product = await startProduct(world);
    const sampling = new AbortController();
    const started: Carried[] = [];
    const sampled = sample(product, () => started.length, sampling.signal);
    await startRuns(product.url, { count, plan, started });
    const carried = await Promise.allSettled(started);
    sampling.abort();
    const samples = await sampled;
    const verdicts = await judgeAll(world, carried);
    const exitCodes = [await product.worker.stop(), await product.gateway.stop()];
    const { requests } = world.simulator;
    const faults = requests.filter(({ fault }) => fault !== undefined).length;
    return {
      rows: thinned(samples).map(toRow),
      remarks: [
        `${verdicts.length} runs in ${plan.minutes} minutes; ${faults} of ${requests.length} requests (${((100 * faults) / requests.length).toFixed(1)} %) met a fault.`,
        ...describeSlopes(samples, plan.minutes),
        ...describeWrong(verdicts),
      ],
      checks: checksOf(verdicts, most.most(), exitCodes),
    };
  });
}

async function startProduct({ address, account }: BenchWorld) {
  const temporal = { TEMPORAL_ADDRESS: address };
  const place = { GCORE_CLOUD_PROJECT_ID: '1', GCORE_CLOUD_REGION_ID: '1' };
  const port = String(await freePort());
  const ofWorker = { ...account, ...place, ...temporal };
  const ofGateway = ['dist/cli/main.js', 'gateway', '--port', port] as const;
  return {
    worker: await startWatched(['dist/worker/main.js'], ofWorker, 'Worker is ready'),
    gateway: await startWatched(ofGateway, temporal, 'Listening at'),
    url: `http://127.0.0.1:${port}`,
  };
}

type Product = Awaited<ReturnType<typeof startProduct>>;

/** Resolves with the Workflow Id. Fails when the gateway did not carry out the run: two hours are not thrown away for one run. */
type Carried = Promise<string>;

/** Starts the runs at an even pace. */
async function startRuns(
  url: string,
  { count, plan, started }: { count: number; plan: Plan; started: Carried[] },
): Promise<void> {
  const from = Date.now();
  for (let index = 0; index < count; index++) {
    await delay(Math.max(0, from + (index * MINUTE_MS) / plan.perMinute - Date.now()));
    const run = carryOut(url, soakRequest(index));
    // Reported when all have ended.
    run.catch(() => undefined);
    started.push(run);
  }
  tell('all runs have been started');
}

async function sample(
  { worker, gateway }: Product,
  runs: () => number,
  signal: AbortSignal,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const from = Date.now();
  while (!signal.aborted) {
    const minute = (Date.now() - from) / MINUTE_MS;
    const memory = { worker: await worker.memory(), gateway: await gateway.memory() };
    samples.push({ minute, runs: runs(), ...memory });
    if (samples.length % TOLD_EVERY === 1) {
      const texts = Object.entries(memory).map(
        ([name, { residentMib, heapMib }]) =>
          `${name} ${residentMib.toFixed(0)} MiB, heap ${heapMib.toFixed(0)} MiB`,
      );
      tell(`minute ${minute.toFixed(0)}: ${runs()} runs, ${texts.join(', ')}`);
    }
    await delay(SAMPLE_MS, undefined, { signal }).catch(() => undefined);
  }
  return samples;
}

function judgeAll(
  { client, simulator }: BenchWorld,
  carried: readonly PromiseSettledResult<string>[],
): Promise<SoakVerdict[]> {
  const gcore = createGcoreWorkflows({ client });
  return inBatches([...carried.entries()], JUDGED_AT_ONCE, async ([index, run]) => {
    const request = soakRequest(index);
    if (run.status === 'fulfilled')
      return judge(request, { workflowId: run.value, gcore, simulator });
    const reason = String(run.reason);
    return { workflowId: request.requestId, hasFailed: true, differences: 0, reason };
  });
}

function checksOf(
  verdicts: readonly SoakVerdict[],
  most: number,
  exitCodes: readonly (number | null)[],
) {
  const failed = verdicts.filter(({ hasFailed }) => hasFailed).length;
  const differences = sumOf(verdicts.map((verdict) => verdict.differences));
  const isClean = exitCodes.every((code) => code === 0);
  return [
    { promise: `No run failed (${failed})`, kept: failed === 0 },
    { promise: `No request has two of anything (at most ${most})`, kept: most <= 1 },
    { promise: `Ledgers and cloud agree (${differences} differences)`, kept: differences === 0 },
    { promise: 'Both processes end with 0 on SIGTERM', kept: isClean },
  ];
}

function describeWrong(verdicts: readonly SoakVerdict[]): string[] {
  return verdicts
    .filter(({ hasFailed, differences }) => hasFailed || differences > 0)
    .slice(0, MAX_NAMED)
    .map(({ workflowId, hasFailed, differences, reason = '' }) => {
      const [line = ''] = reason.split('\n', 1);
      return `${workflowId}: ${hasFailed ? 'failed' : 'succeeded'}, ${differences} differences. ${line}`;
    });
}

/** Growth in MiB an hour, after the warm-up and while runs are started. */
function describeSlopes(samples: readonly Sample[], minutes: number): string[] {
  const later = samples.filter(({ minute }) => minute >= minutes * WARM_UP && minute <= minutes);
  const slope = (of: (each: Sample) => number): string => {
    const perMinute = slopeOf(later.map((each) => ({ x: each.minute, y: of(each) })));
    return `${(perMinute * MINUTES_PER_HOUR).toFixed(1)} MiB/h`;
  };
  return (['worker', 'gateway'] as const).map(
    (name) =>
      `Memory of the ${name}: resident ${slope((each) => each[name].residentMib)}, heap ${slope((each) => each[name].heapMib)}.`,
  );
}

function thinned(samples: readonly Sample[]): Sample[] {
  const every = Math.max(1, Math.floor(samples.length / ROWS));
  return samples.filter((_, index) => index % every === 0);
}

function toRow({ minute, runs, worker, gateway }: Sample): FigureRow {
  return {
    minute: Math.round(minute * 10) / 10,
    runs,
    worker: worker.residentMib,
    workerHeap: worker.heapMib,
    gateway: gateway.residentMib,
    gatewayHeap: gateway.heapMib,
  };
}
