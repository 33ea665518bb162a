import { performance } from 'node:perf_hooks';

import { describe, expect, it } from '@jest/globals';

import { measureManyRuns } from '../../bench/figures/many-runs.js';
import { begun } from '../../bench/figures/ways.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { inScenario } from '../simulation/scenario.js';

describe('many runs that wait in one worker', () => {
  it('share the calls that watch their tasks', () =>
    inScenario({ speed: 2, realPolls: true }, async (scenario) => {
      const begin = async (index: number) =>
        begun(await scenario.start('provisionInstance', provisionInput({ name: `web-${index}` })));
      const meters = { milliseconds: () => performance.now() };
      const plan = { runs: 40, maxUnsent: 40, watchedMs: 1_000, limitMs: 120_000, meters };
      const figures = await measureManyRuns(scenario, begin, plan);

      expect(figures.requestsPerRun).toBeLessThanOrEqual(5);
      expect(figures.created).toBe(40);
      expect(figures.perSecond['milliseconds']).toBeCloseTo(1_000, -2);
      expect(figures.events).toBeLessThanOrEqual(50);
      expect(figures.noticed).toHaveLength(40);
      // A busy machine takes ten seconds for what takes two alone. Without the watcher it would be minutes.
      for (const seconds of figures.noticed) expect(seconds).toBeLessThan(30);
    }));
});
