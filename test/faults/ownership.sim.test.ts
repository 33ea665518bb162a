import { describe, expect, it } from '@jest/globals';

import { playHistory } from './random-history.js';
import { inScenario } from '../simulation/scenario.js';
import { stateWithInstances } from '../support/worlds/instances.js';
/** More seeds find more: `OWNERSHIP_SEEDS=200`. */
const SEEDS = Number(process.env['OWNERSHIP_SEEDS'] ?? 8);
const FIRST = Number(process.env['OWNERSHIP_FIRST'] ?? 1);
const AT_ONCE = 4;

describe('random runs of one request, with faults and foreign changes', () => {
  const batches = Array.from({ length: Math.ceil(SEEDS / AT_ONCE) }, (_, batch) =>
    Array.from({ length: AT_ONCE }, (_one, index) => FIRST + batch * AT_ONCE + index),
  );

  it.each(batches)(
    'remove nothing that a successful run or somebody else made (seeds %i, %i, %i, %i)',
    async (...seeds) => {
      const lost: unknown[] = [];
      await Promise.all(
        seeds.map((seed) =>
          inScenario({ state: stateWithInstances([{ of: 1 }]) }, async (scenario) => {
            const history = await playHistory(scenario, seed);
            if (history.lost.length > 0) lost.push({ seed, ...history });
          }),
        ),
      );

      expect(lost).toEqual([]);
    },
  );
});
