import { setTimeout as pass } from 'node:timers/promises';

import { CELLS } from '../../faults/matrix/cells.js';
import { batchesOf } from '../../faults/matrix/batches.js';
import { planSeed, type SeedPlan } from '../../faults/matrix/plan-seed.js';
import { isClean, runBatch, type JudgedSeed } from '../../faults/matrix/run-worlds.js';
import { SHORT_FORM } from '../../faults/matrix/short-form.js';
import { closeScenarios } from '../../support/runs/scenario.js';
import type { BreakableTemporal } from '../../support/worlds/fault-world.js';
import { say, type Row } from '../report.js';
import type { ProductionServer } from '../server/production-server.js';

const PART = 'fault matrix';

interface Strike {
  name: string;
  /** Each strike has seeds of its own, because a Workflow Id is used once. */
  round: number;
  temporal: BreakableTemporal;
}

/** What may break where a seed says that Temporal stops. */
function strikesOn({ address, database, ...server }: ProductionServer): Strike[] {
  const strike = (
    name: string,
    round: number,
    rest: Omit<BreakableTemporal, 'address'>,
  ): Strike => ({
    name,
    round,
    temporal: { address, ...rest },
  });
  return [
    strike('server killed', 0, server),
    strike('database killed', 1, { killTemporal: database.kill, startTemporal: database.start }),
    strike('database stalled', 2, { killTemporal: database.stall, startTemporal: database.resume }),
    strike('both killed', 3, {
      killTemporal: async () => {
        await Promise.all([server.killTemporal(), database.kill()]);
      },
      startTemporal: async () => {
        await database.start();
        await server.startTemporal();
      },
    }),
  ];
}

/**
 * The short form of the matrix (test/faults/matrix) against the production server. Worlds of processes share the server, so
 * they run one after the other; the seeds of the others need no process and no strike.
 */
export async function runMatrix(server: ProductionServer): Promise<Row[]> {
  process.env['TEMPORAL_ADDRESS'] = server.address;
  const plans = SHORT_FORM.map(planSeed);
  const isStop = ({ cell }: SeedPlan): boolean => cell.kind === 'Temporal stopped';
  const rows: Row[] = [];
  rows.push(
    await judged(
      'faults of the API, workers killed',
      plans.filter((plan) => !isStop(plan)),
      {
        temporal: {
          address: server.address,
          killTemporal: server.killTemporal,
          startTemporal: server.startTemporal,
        },
      },
    ),
  );
  for (const { name, round, temporal } of strikesOn(server)) {
    const seeds = plans.filter(isStop).map(({ seed }) => planSeed(seed + round * CELLS.length));
    rows.push(await judged(name, seeds, { temporal }));
  }
  await closeScenarios();
  return rows;
}

async function judged(
  name: string,
  plans: readonly SeedPlan[],
  { temporal }: { temporal: BreakableTemporal },
): Promise<Row> {
  const startedAt = Date.now();
  const results: JudgedSeed[] = [];
  for (const batch of batchesOf(plans)) {
    say(`matrix, ${name}: ${batch.name}`);
    results.push(...(await runBatch(batch.plans, temporal)));
    // The next world has the same queues.
    await pass(1_000);
  }
  for (const seed of results.filter((result) => !isClean(result)))
    say(`NOT CLEAN ${JSON.stringify(seed)}`);
  const count = (is: (result: JudgedSeed) => boolean): number => results.filter(is).length;
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0);
  const texts = [
    `${results.length} runs in ${seconds} s`,
    `duplicates ${count(({ mostOfOne }) => mostOfOne > 1)}`,
    `lost ${count(({ lost }) => lost)}`,
    `false ends ${count(({ wrongEnd }) => wrongEnd)}`,
    `ledger differences ${results.reduce((sum, { differences }) => sum + differences, 0)}`,
    `do not replay ${count(({ replay }) => replay !== '')}`,
  ];
  return {
    part: PART,
    what: name,
    result: texts.join(', '),
    isSound: results.length === plans.length && plans.length > 0 && results.every(isClean),
  };
}
