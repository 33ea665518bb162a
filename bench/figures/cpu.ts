import { resolve } from 'node:path';

import { Client, Connection } from '@temporalio/client';
import {
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import proto from '@temporalio/proto';
import { z } from 'zod';

import { defineBench, number } from '../bench.js';
import type { Measured } from '../document/figure.js';
import { typeOf } from '../measure-run.js';
import { bundleNaiveWorkflows } from '../naive/create-naive-worker.js';
import { processCpu } from '../processes.js';
import { percentile, rangeOf } from '../statistics.js';
import { withTemporal } from '../worlds.js';
import { measureLive, type Batch, type Bundles, type Contender, type Shape } from './cpu-live.js';

/** CPU of a worker per workflow task against the yardstick. */
const MAX_CPU_RATIO = 1.3;
/** What the limit is for. The other measures show where the CPU goes. */
const LIMITED_MEASURE = 'live, whole process';

/** How the measured runs wait. */
const SHAPES: Readonly<Record<string, Shape>> = {
  watched: { watcher: true, looks: 1 },
  'ten looks': { watcher: false, looks: 10 },
};

const settings = z.strictObject({
  /** Pairs of measurements; the ratio is the median of the pairs. */
  pairs: number(6),
  /** Runs of one batch. */
  runs: number(50),
  /** Consecutive replays of one history. */
  replays: number(200),
});

export const cpu = defineBench({
  id: 'cpu',
  title: 'CPU per workflow task',
  summary: 'CPU per workflow task, beside a workflow that only makes the same commands',
  minutes: 5,
  columns: [
    { key: 'where', title: 'how it waits, what is measured' },
    { key: 'ours', title: 'provisionInstance', unit: 'ms' },
    { key: 'twin', title: 'twin', unit: 'ms' },
    { key: 'ratio', title: 'ratio' },
    { key: 'pairs', title: 'ratio of all pairs' },
    { key: 'events', title: 'events per run' },
    { key: 'tasks', title: 'workflow tasks per run' },
  ],
  page: {
    about: `A workflow task of \`provisionInstance\` beside one of its twin: a workflow that makes the same commands of the same size,
without engine, status, updates, ledger and rollback. Both run in turns in one process, with the same activities that
answer at once. The ratio is the median of six pairs of 50 runs (live) or 200 replays of a stored history. *Whole process* is a worker with
workflow code, SDK and activities, and the limit is for it; *workflow threads* are only the sandbox and the SDK's state machines.`,
    chart: { kind: 'bar', x: 'where', panels: [['ours', 'twin']] },
  },
  settings,
  parts: { watched: {}, 'ten looks': {} },
  quick: { pairs: 1, runs: 3, replays: 5 },
  async measure(plan, part) {
    const shape = SHAPES[part];
    if (shape === undefined) throw new Error(`No shape ${part}`);
    Runtime.install({ logger: new DefaultLogger('ERROR') });
    return withTemporal({ exactTimers: true }, async (address) => {
      const bundles = await bundleContenders();
      return toMeasured(part, await measureCpu({ address, bundles, shape, ...plan }));
    });
  },
});

function toMeasured(part: string, { comparisons, events, workflowTasks }: CpuFigures): Measured {
  const isSame = events.provisionInstance.join() === events.plainProvision.join();
  const limited = comparisons.filter(({ measure }) => measure === LIMITED_MEASURE);
  return {
    rows: comparisons.map(({ measure, ours, plain, ratios }) => ({
      where: `${part}: ${measure}`,
      ours,
      twin: plain,
      ratio: percentile(ratios, 50),
      pairs: rangeOf(ratios),
      events: events.provisionInstance.length,
      tasks: workflowTasks,
    })),
    checks: [
      { promise: `The twin has the same events (${part})`, kept: isSame },
      ...limited.map(({ measure, ratios }) => ({
        promise: `At most ${MAX_CPU_RATIO} times the twin (${part}, ${measure})`,
        kept: percentile(ratios, 50) <= MAX_CPU_RATIO,
      })),
    ],
  };
}

interface CpuOptions extends z.output<typeof settings> {
  address: string;
  /** From `bundleContenders`. */
  bundles: Bundles;
  shape: Shape;
}

/** CPU of both contenders, measured in one way. */
interface Comparison {
  measure: string;
  /** Milliseconds per workflow task. */
  ours: number;
  plain: number;
  /** One ratio per pair of batches that ran one after the other. */
  ratios: number[];
}

interface CpuFigures {
  comparisons: Comparison[];
  /** Event types of the last run of each. They should be the same. */
  events: Record<Contender, string[]>;
  historyBytes: Record<Contender, number>;
  workflowTasks: number;
}

/** The built bundle of the product, and a bundle of the yardsticks. */
export async function bundleContenders(): Promise<Bundles> {
  return {
    provisionInstance: { codePath: resolve('dist/workflow-bundle.js') },
    plainProvision: await bundleNaiveWorkflows(),
  };
}

export async function measureCpu(options: CpuOptions): Promise<CpuFigures> {
  const { address } = options;
  const connection = await NativeConnection.connect({ address });
  const client = new Client({ connection: await Connection.connect({ address }) });
  const batches = await measureLive({ ...options, client, connection });
  await client.connection.close();
  await connection.close();
  const of = (contender: Contender) => batches.filter((each) => each.contender === contender);
  return toFigures(options, [of('provisionInstance'), of('plainProvision')]);
}

type Pair<T> = readonly [ours: T, plain: T];

async function toFigures(options: CpuOptions, [ours, plain]: Pair<Batch[]>): Promise<CpuFigures> {
  const [lastOfOurs, lastOfPlain] = [ours.at(-1), plain.at(-1)];
  if (lastOfOurs === undefined || lastOfPlain === undefined)
    throw new Error('There must be at least one pair');
  const perTask = (of: 'processMs' | 'threadMs'): Pair<number[]> => [
    ours.map((batch) => batch[of] / batch.workflowTasks),
    plain.map((batch) => batch[of] / batch.workflowTasks),
  ];
  const ofEach = <T>(figure: (batch: Batch) => T): Record<Contender, T> => ({
    provisionInstance: figure(lastOfOurs),
    plainProvision: figure(lastOfPlain),
  });
  return {
    comparisons: [
      compare(LIMITED_MEASURE, perTask('processMs')),
      compare('live, workflow threads', perTask('threadMs')),
      compare('replay, whole process', await replayBoth(options, [lastOfOurs, lastOfPlain])),
    ],
    events: ofEach(({ history }) => (history.events ?? []).map(typeOf)),
    historyBytes: ofEach(({ history }) => sizeOf(history)),
    workflowTasks: lastOfOurs.workflowTasks / options.runs,
  };
}

async function replayBoth(
  { bundles, pairs, replays, runs }: CpuOptions,
  last: Pair<Batch>,
): Promise<Pair<number[]>> {
  const times: Record<Contender, number[]> = { provisionInstance: [], plainProvision: [] };
  for (let pair = 0; pair < pairs; pair++) {
    for (const { contender, history, workflowTasks } of last) {
      const ms = await measureReplay(bundles[contender], history, replays);
      times[contender].push(ms / (workflowTasks / runs));
    }
  }
  return [times.provisionInstance, times.plainProvision];
}

function compare(measure: string, [ours, plain]: Pair<number[]>): Comparison {
  return {
    measure,
    ours: percentile(ours, 50),
    plain: percentile(plain, 50),
    ratios: ours.map((ms, index) => ms / (plain[index] ?? Number.NaN)),
  };
}

function sizeOf(history: Batch['history']): number {
  return proto.temporal.api.history.v1.History.encode(history).finish().length;
}

/** CPU milliseconds of one replay of a whole history, without server, network and activities. */
async function measureReplay(
  workflowBundle: WorkflowBundleOption,
  history: Batch['history'],
  replays: number,
): Promise<number> {
  const warmUp = Math.ceil(replays / 10);
  const copies = Array.from({ length: warmUp + replays }, (_, index) => ({
    workflowId: `replay-${index}`,
    history,
  }));
  let [done, before] = [0, 0];
  for await (const { error } of Worker.runReplayHistories({ workflowBundle }, copies)) {
    if (error !== undefined) throw error;
    done += 1;
    if (done === warmUp) before = processCpu();
    if (done === copies.length) return (processCpu() - before) / replays;
  }
  throw new Error('The replays ended early');
}
