import { afterAll, describe, expect, it } from '@jest/globals';

import { closeScenarios } from '../support/runs/scenario.js';
import { batchesOf } from './matrix/batches.js';
import { CELLS } from './matrix/cells.js';
import { planSeed } from './matrix/plan-seed.js';
import { isClean, runBatch } from './matrix/run-worlds.js';

afterAll(closeScenarios);

/**
 * One of three cells of provisionInstance, which makes the most resources, and every twelfth of all
 * other cells. `npm run test:faults` runs a thousand seeds and prints a table.
 */
const SEEDS = CELLS.flatMap(({ of }, index) =>
  (of.operation === 'provisionInstance' ? index % 3 === 0 : index % 12 === 0) ? [index + 1] : [],
);
const batches = batchesOf(SEEDS.map(planSeed));

describe('the fault matrix', () => {
  it.concurrent.each(batches.map((batch) => [batch.name, batch] as const))(
    'finds no duplicate, no lost run and no false report: %s',
    async (_, { plans }) => {
      const seeds = await runBatch(plans);

      expect(seeds.filter((seed) => !isClean(seed))).toEqual([]);
    },
    400_000,
  );
});
