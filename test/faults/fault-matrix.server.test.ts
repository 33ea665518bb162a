import { describe, expect, it } from '@jest/globals';

import { batchesOf } from './matrix/batches.js';
import { planSeed } from './matrix/plan-seed.js';
import { isClean, runBatch } from './matrix/run-worlds.js';
import { SHORT_FORM } from './matrix/short-form.js';
const batches = batchesOf(SHORT_FORM.map(planSeed));

describe('the fault matrix', () => {
  it.concurrent.each(batches.map((batch) => [batch.name, batch] as const))(
    'finds no duplicate, no lost run and no false report: %s',
    async (_, { plans }) => {
      const seeds = await runBatch(plans);

      expect(seeds.filter((seed) => !isClean(seed))).toEqual([]);
    },
  );
});
