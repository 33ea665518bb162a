import { setTimeout as delay } from 'node:timers/promises';

import { createGcoreWorkflows } from '../../src/client/index.js';
import { MARKER_TAG } from '../../src/contract/wire/names.js';
import { freePort } from '../../src/dev/temporal-ports.js';
import type { SimulatorState } from '../../src/simulator/index.js';
import { matrixState, mostOfOne } from '../../test/support/operations/matrix-cloud.js';
import { inBatches } from '../../test/support/timing/in-batches.js';
import { inBenchWorld, type BenchWorld } from '../bench-world.js';
import { soakFaults } from './soak-faults.js';
import {
  carryOut,
  judge,
  markerOfProvision,
  seedOf,
  soakRequest,
  type SoakVerdict,
} from './soak-run.js';
import { startWatched, type MemorySample, type WatchedProcess } from './watched-process.js';

export interface SoakPlan {
  minutes: number;
  perMinute: number;
  /** Share of the requests that meet a fault. */
  faults: number;
  onProgress: (text: string) => void;
}

export interface SoakSample {
  minute: number;
  runs: number;
  worker: MemorySample;
  gateway: MemorySample;
}

export interface SoakFigures {
  samples: SoakSample[];
  verdicts: SoakVerdict[];
  /** Resources of one request at the same time: more than 1 is a duplicate. */
  mostOfOne: number;
  requests: number;
  faults: number;
  /** Of worker and gateway after SIGTERM. */
  exitCodes: (number | null)[];
}

const MINUTE_MS = 60_000;
const SAMPLE_MS = 10_000;
const PROGRESS_EVERY = 6;
const JUDGED_AT_ONCE = 10;

/** Worker and gateway in processes of their own, with the settings of production. */
export function measureSoak(plan: SoakPlan): Promise<SoakFigures> {
  const most = mostOfOne();
  const count = Math.round(plan.minutes * plan.perMinute);
  const seeds = Array.from({ length: seedOf(count) }, (_, index) => index + 1);
  const state = withOwnVolumes(matrixState(() => seeds));
  return inBenchWorld({ state, onChange: most.see }, async (world) => {
    for (const rule of soakFaults(plan.faults)) world.simulator.faults.add(rule);
    const { worker, gateway, url } = await startProduct(world);
    const samples: SoakSample[] = [];
    const sampling = new AbortController();
    const ids: string[] = [];
    const sampled = sample({ worker, gateway, plan, samples, ids, signal: sampling.signal });
    const carried = await startRuns({ url, count, plan, ids });
    sampling.abort();
    await sampled;
    const verdicts = await judgeAll(world, carried);
    return {
      ...{ samples, verdicts, mostOfOne: most.most() },
      requests: world.simulator.requests.length,
      faults: world.simulator.requests.filter(({ fault }) => fault !== undefined).length,
      exitCodes: [await worker.stop(), await gateway.stop()],
    };
  });
}

/** The volumes that earlier runs of the same requests left: their marker is that of the run, whose id the gateway gives. */
function withOwnVolumes(state: SimulatorState): SimulatorState {
  const volumes = state.volumes.map(({ tags, ...volume }) => {
    const seed = /^default\/seed-(\d+)$/.exec(tags[MARKER_TAG] ?? '')?.[1];
    if (seed === undefined) return { ...volume, tags };
    return { ...volume, tags: { ...tags, [MARKER_TAG]: markerOfProvision(Number(seed)) } };
  });
  return { ...state, volumes };
}

async function startProduct({ address, api }: BenchWorld) {
  const worker = startWatched('dist/worker/main.js', [], {
    GCORE_API_KEY: api.apiKey,
    GCORE_BASE_URL: api.baseUrl,
    GCORE_CLOUD_PROJECT_ID: '1',
    GCORE_CLOUD_REGION_ID: '1',
    TEMPORAL_ADDRESS: address,
  });
  await worker.says(/Worker is ready/);
  const port = await freePort();
  const gateway = startWatched('dist/cli/main.js', ['gateway', '--port', String(port)], {
    TEMPORAL_ADDRESS: address,
  });
  await gateway.says(/Listening at/);
  return { worker, gateway, url: `http://127.0.0.1:${port}` };
}

interface Starting {
  url: string;
  count: number;
  plan: SoakPlan;
  /** The request ids that were started. */
  ids: string[];
}

/** Starts the runs at an even pace and waits for the end of the last. */
async function startRuns({ url, count, plan, ids }: Starting): Promise<Carried[]> {
  const from = Date.now();
  const carried: Promise<string>[] = [];
  for (let index = 0; index < count; index++) {
    await delay(Math.max(0, from + (index * MINUTE_MS) / plan.perMinute - Date.now()));
    const request = soakRequest(index);
    ids.push(request.requestId);
    const run = carryOut(url, request);
    // Reported when all have ended.
    run.catch(() => undefined);
    carried.push(run);
  }
  plan.onProgress('all runs have been started');
  return Promise.allSettled(carried);
}

/** The Workflow Id, or why the gateway did not carry out the run: two hours are not thrown away for one run. */
type Carried = PromiseSettledResult<string>;

interface Sampling {
  worker: WatchedProcess;
  gateway: WatchedProcess;
  plan: SoakPlan;
  samples: SoakSample[];
  ids: readonly string[];
  signal: AbortSignal;
}

async function sample({ worker, gateway, plan, samples, ids, signal }: Sampling): Promise<void> {
  const from = Date.now();
  while (!signal.aborted) {
    const minute = (Date.now() - from) / MINUTE_MS;
    const taken = { worker: await worker.memory(), gateway: await gateway.memory() };
    samples.push({ minute, runs: ids.length, ...taken });
    if (samples.length % PROGRESS_EVERY === 1) plan.onProgress(toLine(minute, ids.length, taken));
    await delay(SAMPLE_MS, undefined, { signal }).catch(() => undefined);
  }
}

function toLine(minute: number, runs: number, taken: Record<string, MemorySample>): string {
  const memory = Object.entries(taken).map(
    ([name, { residentMib, heapMib }]) =>
      `${name} ${residentMib.toFixed(0)} MiB, heap ${heapMib.toFixed(0)} MiB`,
  );
  return `minute ${minute.toFixed(0)}: ${runs} runs, ${memory.join(', ')}`;
}

function judgeAll(
  { client, simulator }: BenchWorld,
  carried: readonly Carried[],
): Promise<SoakVerdict[]> {
  const gcore = createGcoreWorkflows({ client });
  return inBatches([...carried.entries()], JUDGED_AT_ONCE, async ([index, run]) =>
    run.status === 'fulfilled'
      ? judge(soakRequest(index), { workflowId: run.value, gcore, simulator })
      : {
          workflowId: soakRequest(index).requestId,
          hasFailed: true,
          differences: 0,
          reason: String(run.reason),
        },
  );
}
