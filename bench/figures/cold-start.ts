import { z } from 'zod';

import { WORKFLOW_TASK_QUEUE } from '../../src/contract/wire/names.js';
import type { WorkerProcess } from '../../test/support/workers/worker-process.js';
import { defineBench, number } from '../bench.js';
import { percentile } from '../statistics.js';
import { inBenchWorld, killed, ready, type BenchWorld } from '../worlds.js';

interface Starter {
  name: string;
  workflow: string;
  taskQueue: string;
  spawn: (world: BenchWorld) => WorkerProcess;
}

const STARTERS: readonly Starter[] = [
  {
    name: 'npm start, built bundle',
    workflow: 'listSshKeys',
    taskQueue: WORKFLOW_TASK_QUEUE,
    spawn: ({ account, spawnProduct }) => spawnProduct(account),
  },
  {
    name: 'a worker of one workflow that bundles at start',
    workflow: 'singleCall',
    taskQueue: 'naive',
    spawn: ({ spawnNaive }) => spawnNaive('naive'),
  },
];

export const coldStart = defineBench({
  id: 'cold-start',
  title: 'Cold start',
  summary: 'from the start of a worker process until it is ready and its first run has ended',
  minutes: 2,
  columns: [
    { key: 'worker', title: 'worker' },
    { key: 'ready50', title: 'ready p50', unit: 'ms' },
    { key: 'ready95', title: 'ready p95', unit: 'ms' },
    { key: 'first50', title: 'first run ended p50', unit: 'ms' },
    { key: 'first95', title: 'first run ended p95', unit: 'ms' },
  ],
  page: {
    about: `From the start of a worker process until it is ready, and until a run that was waiting for it has ended (\`listSshKeys\`: one
read of the API). Ours loads the bundle of \`npm run build\`. Beside it a worker with a single small workflow, which bundles at its start as
Temporal's samples do. Twelve starts of each, in turns.`,
    chart: { kind: 'bar', x: 'worker', panels: [['ready50', 'first50']] },
  },
  settings: z.strictObject({ rounds: number(12) }),
  parts: { both: {} },
  quick: { rounds: 1 },
  measure: ({ rounds }) =>
    inBenchWorld({}, async (world) => {
      const starts = STARTERS.map((starter) => ({ starter, starts: new Array<ColdStart>() }));
      for (let round = 0; round < rounds; round++) {
        for (const each of starts) each.starts.push(await measureStart(world, each.starter, round));
      }
      return { rows: starts.map(({ starter, starts: all }) => toRow(starter.name, all)) };
    }),
});

/** Milliseconds from the start of a worker process. */
interface ColdStart {
  ready: number;
  /** Until a run that waited for this worker has ended: one read of the API. */
  first: number;
}

async function measureStart(
  world: BenchWorld,
  { workflow, taskQueue, spawn }: Starter,
  round: number,
): Promise<ColdStart> {
  const workflowId = `cold-${workflow}-${round}`;
  const args = [{ ...(taskQueue !== WORKFLOW_TASK_QUEUE && { taskQueue }) }];
  const run = await world.client.workflow.start(workflow, { workflowId, taskQueue, args });
  const startedAt = performance.now();
  const worker = spawn(world);
  try {
    await ready(worker);
    const isReady = performance.now() - startedAt;
    await run.result();
    return { ready: isReady, first: performance.now() - startedAt };
  } finally {
    await killed(worker);
  }
}

function toRow(worker: string, starts: readonly ColdStart[]) {
  const of = (key: keyof ColdStart, percent: number): number =>
    percentile(
      starts.map((start) => start[key]),
      percent,
    );
  return {
    worker,
    ready50: of('ready', 50),
    ready95: of('ready', 95),
    first50: of('first', 50),
    first95: of('first', 95),
  };
}
