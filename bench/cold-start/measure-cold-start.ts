import { fileURLToPath } from 'node:url';

import { WORKFLOW_TASK_QUEUE } from '../../src/contract/wire/names.js';
import {
  startScript,
  startWorkerProcess,
  type WorkerProcess,
} from '../../test/support/workers/worker-process.js';
import { inBenchWorld, type BenchWorld } from '../bench-world.js';

/** Milliseconds from the start of a worker process. */
export interface ColdStart {
  ready: number;
  /** Until a run that waited for this worker has ended: one read of the API. */
  firstRun: number;
}

interface Starter {
  name: string;
  workflow: string;
  taskQueue: string;
  input: object;
  spawn: (world: BenchWorld) => WorkerProcess;
}

const NAIVE_QUEUE = 'naive';
const NAIVE_WORKER = fileURLToPath(new URL('../naive/naive-worker.js', import.meta.url));

const ours: Starter = {
  name: 'npm start, built bundle',
  workflow: 'listSshKeys',
  taskQueue: WORKFLOW_TASK_QUEUE,
  input: {},
  spawn: ({ address, api }) =>
    startWorkerProcess({
      GCORE_API_KEY: api.apiKey,
      GCORE_BASE_URL: api.baseUrl,
      TEMPORAL_ADDRESS: address,
    }),
};

/** As Temporal's samples start: the worker bundles its workflows itself. */
const naive: Starter = {
  name: 'a worker of one workflow that bundles at start',
  workflow: 'singleCall',
  taskQueue: NAIVE_QUEUE,
  input: { taskQueue: NAIVE_QUEUE },
  spawn: ({ address, api }) =>
    startScript(NAIVE_WORKER, {
      NAIVE_WORKER: JSON.stringify({ address, taskQueue: NAIVE_QUEUE, api }),
    }),
};

/** Starts both workers in turns. */
export function measureColdStarts(rounds: number): Promise<ReadonlyMap<string, ColdStart[]>> {
  const starts = new Map<string, ColdStart[]>();
  return inBenchWorld({}, async (world) => {
    for (let round = 0; round < rounds; round++) {
      for (const starter of [ours, naive]) {
        const known = starts.get(starter.name) ?? [];
        starts.set(starter.name, [...known, await measureStart(world, starter, round)]);
      }
    }
    return starts;
  });
}

async function measureStart(
  world: BenchWorld,
  starter: Starter,
  round: number,
): Promise<ColdStart> {
  const { workflow, taskQueue, input } = starter;
  const run = await world.client.workflow.start(workflow, {
    workflowId: `cold-${workflow}-${round}`,
    taskQueue,
    args: [input],
  });
  const startedAt = performance.now();
  const worker = starter.spawn(world);
  try {
    await worker.says('Worker is ready');
    const ready = performance.now() - startedAt;
    await run.result();
    return { ready, firstRun: performance.now() - startedAt };
  } finally {
    worker.child.kill('SIGKILL');
    await worker.exit;
  }
}
