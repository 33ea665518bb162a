import { afterAll, expect, describe, it } from '@jest/globals';

import { measureWaiting } from '../../bench/measure-waiting.js';
import { closeScenarios, inScenario } from '../support/runs/scenario.js';

afterAll(closeScenarios);

describe('many runs that wait in one worker', () => {
  it('share the calls that watch their tasks', () =>
    inScenario({ speed: 2, realPolls: true }, async (scenario) => {
      const figures = await measureWaiting(scenario, { runs: 40, watchedMs: 1_000 });

      expect(figures.requestsPerRun).toBeLessThanOrEqual(5);
      expect(figures.events).toBeLessThanOrEqual(50);
      expect(figures.noticed).toHaveLength(40);
      for (const seconds of figures.noticed) expect(seconds).toBeLessThan(10);
    }));
});
