import { setTimeout as pass } from 'node:timers/promises';

import { percentile } from '../../../bench/statistics.js';
import { resolveTemporalExecutable } from '../../../src/dev/temporal-executable.js';
import { startTemporalServer } from '../../../src/dev/temporal-server.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { closeScenarios, inScenario, type Scenario } from '../../support/runs/scenario.js';
import { inFaultWorld, type BreakableTemporal } from '../../support/worlds/fault-world.js';
import { say, type Row } from '../report.js';
import type { ProductionServer } from '../server/production-server.js';
import { uniqueName } from './account.js';

const PART = 'side by side';
const RUNS = 200;
const AT_ONCE = 50;
const ONE_BY_ONE = 30;
const ROUNDS = 3;
const OPEN_RUNS = 8;
const DOWN_MS = 5_000;

interface Figures {
  perSecond: number[];
  startMs: number[];
  listMs: number[];
  provisionMs: number[];
  firstCallMs: number[];
  endedMs: number[];
}

const noFigures = (): Figures => ({
  perSecond: [],
  startMs: [],
  listMs: [],
  provisionMs: [],
  firstCallMs: [],
  endedMs: [],
});

/**
 * The same work on the development server (one process, SQLite) and on the production server (PostgreSQL, fsync on), in
 * turns on the same machine: one worker process, one simulated cloud.
 */
export async function measureFigures(server: ProductionServer): Promise<Row[]> {
  const { path: executable } = await resolveTemporalExecutable({
    cliPath: process.env['TEMPORAL_CLI_PATH'],
    path: process.env['PATH'],
  });
  const development = await startTemporalServer({ executable });
  const [onDevelopment, onProduction] = [noFigures(), noFigures()];
  try {
    for (let round = 1; round <= ROUNDS; round++) {
      say(`round ${round} of ${ROUNDS}`);
      await measureRuns(development.address, onDevelopment);
      await measureRuns(server.address, onProduction);
      await measureOutage(undefined, onDevelopment);
      const { address, killTemporal, startTemporal } = server;
      await measureOutage({ address, killTemporal, startTemporal }, onProduction);
    }
  } finally {
    await development.close();
  }
  return rowsOf(onDevelopment, onProduction);
}

async function measureRuns(address: string, figures: Figures): Promise<void> {
  process.env['TEMPORAL_ADDRESS'] = address;
  await inScenario({ replays: false }, async (scenario) => {
    await runMany(scenario, AT_ONCE);
    const startedAt = performance.now();
    await runMany(scenario, RUNS);
    figures.perSecond.push(RUNS / ((performance.now() - startedAt) / 1_000));
    for (let index = 0; index < ONE_BY_ONE; index++) {
      const from = performance.now();
      const run = await scenario.start('listSshKeys', {}, uniqueName('list'));
      figures.startMs.push(performance.now() - from);
      await run.result();
      figures.listMs.push(performance.now() - from);
    }
    for (let index = 0; index < ONE_BY_ONE / 3; index++) {
      const from = performance.now();
      const name = uniqueName('web');
      await (await scenario.start('provisionInstance', provisionInput({ name }), name)).result();
      figures.provisionMs.push(performance.now() - from);
    }
  });
  await closeScenarios();
}

async function runMany(scenario: Scenario, count: number): Promise<void> {
  let left = count;
  const next = async (): Promise<void> => {
    while (left-- > 0) await (await scenario.start('listSshKeys', {}, uniqueName('list'))).result();
  };
  await Promise.all(Array.from({ length: Math.min(count, AT_ONCE) }, next));
}

/** The server is killed while runs wait for tasks of the cloud, and starts again after five seconds. */
async function measureOutage(
  temporal: BreakableTemporal | undefined,
  figures: Figures,
): Promise<void> {
  const speed = 20;
  await inFaultWorld(
    async (world) => {
      const { gcore, simulator } = world;
      await world.startWorker();
      const ids: string[] = [];
      for (let index = 0; index < OPEN_RUNS; index++) {
        const name = uniqueName('open');
        const { workflowId } = await gcore.start('provisionInstance', {
          requestId: name,
          input: provisionInput({ name }),
        });
        ids.push(workflowId);
      }
      while (simulator.inventory().tasks.length < OPEN_RUNS) await pass(20);
      await world.killTemporal();
      await pass(DOWN_MS);
      await world.startTemporal();
      const before = simulator.requests.length;
      const mendedAt = performance.now();
      const ended = Promise.all(ids.map((id) => gcore.result('provisionInstance', id)));
      while (simulator.requests.length === before) await pass(10);
      figures.firstCallMs.push(performance.now() - mendedAt);
      await ended;
      figures.endedMs.push(performance.now() - mendedAt);
    },
    {
      ...(temporal && { temporal }),
      // As on the production server: a timer fires up to a second late.
      dynamicConfig: { 'history.timerProcessorMaxTimeShift': '1s' },
      timeScale: 1 / speed,
      fast: { speed, reconcileGraceMs: 5_000, probeMs: 500 },
    },
  );
}

function rowsOf(development: Figures, production: Figures): Row[] {
  const both = (what: string, print: (figures: Figures) => string): Row => ({
    part: PART,
    what,
    result: `development ${print(development)}; production ${print(production)}`,
  });
  const times = (figures: readonly number[]): string =>
    `p50 ${percentile(figures, 50).toFixed(0)} ms, p95 ${percentile(figures, 95).toFixed(0)} ms`;
  const seconds = (figures: readonly number[]): string =>
    `${figures.map((ms) => (ms / 1_000).toFixed(1)).join(', ')} s`;
  return [
    both(`small runs a second, ${AT_ONCE} at once`, ({ perSecond }) =>
      perSecond.map((figure) => figure.toFixed(0)).join(', '),
    ),
    both('a start is answered', ({ startMs }) => times(startMs)),
    both('a small run, alone', ({ listMs }) => times(listMs)),
    both('a provision, 100 times faster than real', ({ provisionMs }) => times(provisionMs)),
    both(
      `server killed for ${DOWN_MS / 1_000} s: first call of the API after it is back`,
      ({ firstCallMs }) => seconds(firstCallMs),
    ),
    both(`… ${OPEN_RUNS} open runs have ended`, ({ endedMs }) => seconds(endedMs)),
  ];
}
