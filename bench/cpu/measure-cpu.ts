import { resolve } from 'node:path';

import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { NativeConnection } from '@temporalio/worker';

import { typeOf } from '../measure-run.js';
import { bundleNaiveWorkflows } from '../naive/create-naive-worker.js';
import { percentile } from '../percentile.js';
import { CONTENDERS, type Bundles, type Contender, type Shape } from './cpu-workers.js';
import { measureLive, type Batch } from './measure-live.js';
import { measureReplay } from './measure-replay.js';
import { LIMITED_MEASURE } from './shapes.js';

export interface CpuOptions {
  address: string;
  /** From `bundleContenders`. */
  bundles: Bundles;
  shape: Shape;
  /** Pairs of measurements; the ratio is the median of the pairs. */
  rounds: number;
  /** Runs of one batch. */
  runs: number;
  /** Consecutive replays of one history. */
  replays: number;
}

/** CPU of both contenders, measured in one way. */
export interface Comparison {
  measure: string;
  /** Milliseconds per workflow task. */
  ours: number;
  plain: number;
  /** One ratio per pair of batches that ran one after the other. */
  ratios: number[];
}

export interface CpuFigures {
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
  const [ours, plain] = CONTENDERS.map((contender) =>
    batches.filter((batch) => batch.contender === contender),
  );
  return toFigures(options, [ours ?? [], plain ?? []]);
}

type Pair<T> = readonly [ours: T, plain: T];

async function toFigures(options: CpuOptions, [ours, plain]: Pair<Batch[]>): Promise<CpuFigures> {
  const [lastOfOurs, lastOfPlain] = [ours.at(-1), plain.at(-1)];
  if (lastOfOurs === undefined || lastOfPlain === undefined)
    throw new Error('There must be at least one round');
  const perTask = (of: 'processMs' | 'threadMs'): Pair<number[]> => [
    ours.map((batch) => batch[of] / batch.workflowTasks),
    plain.map((batch) => batch[of] / batch.workflowTasks),
  ];
  const replayed = await replayBoth(options, [lastOfOurs, lastOfPlain]);
  return {
    comparisons: [
      compare(LIMITED_MEASURE, perTask('processMs')),
      compare('live, workflow threads', perTask('threadMs')),
      compare('replay, whole process', replayed),
    ],
    events: ofEach([lastOfOurs, lastOfPlain], ({ history }) => (history.events ?? []).map(typeOf)),
    historyBytes: ofEach([lastOfOurs, lastOfPlain], ({ history }) => sizeOf(history)),
    workflowTasks: lastOfOurs.workflowTasks / options.runs,
  };
}

async function replayBoth(
  { bundles, rounds, replays, runs }: CpuOptions,
  last: Pair<Batch>,
): Promise<Pair<number[]>> {
  const [ours, plain]: Pair<number[]> = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const { contender, history, workflowTasks } of last) {
      const workflowBundle = bundles[contender];
      const ms = await measureReplay({ workflowBundle, history, replays });
      const perTask = ms / (workflowTasks / runs);
      (contender === 'provisionInstance' ? ours : plain).push(perTask);
    }
  }
  return [ours, plain];
}

function compare(measure: string, [ours, plain]: Pair<number[]>): Comparison {
  return {
    measure,
    ours: percentile(ours, 50),
    plain: percentile(plain, 50),
    ratios: ours.map((ms, index) => ms / (plain[index] ?? Number.NaN)),
  };
}

function ofEach<T>([ours, plain]: Pair<Batch>, figure: (batch: Batch) => T): Record<Contender, T> {
  return { provisionInstance: figure(ours), plainProvision: figure(plain) };
}

function sizeOf(history: Batch['history']): number {
  return proto.temporal.api.history.v1.History.encode(history).finish().length;
}
