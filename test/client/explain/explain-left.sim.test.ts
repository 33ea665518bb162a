import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../../src/client/index.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import { manyVideos, VIDEO_LIST, video } from '../../support/worlds/videos.js';
const clientOf = ({ client, taskQueue }: Scenario): GcoreWorkflows =>
  createGcoreWorkflows({ client, taskQueue });

describe('an import that has left videos', () => {
  it('is not explained as removed when it was cancelled', () =>
    inScenario({}, async (scenario) => {
      const { start, simulator } = scenario;
      const gate = createGate();
      simulator.faults.add({
        match: { ...VIDEO_LIST, nth: 3, times: Infinity },
        action: { kind: 'delay', until: gate.opened },
      });
      const run = await start('importVideos', { videos: manyVideos(3) });
      await until('the videos exist', () => simulator.inventory().videos.length === 3);

      await run.cancel();
      gate.open();
      await endOfRun(run);

      const { paragraph, next } = await clientOf(scenario).explain(run.workflowId);
      expect(paragraph).toContain('The videos that it has created are kept');
      expect(next).toContain('delete the videos that you do not want');
      expect(simulator.inventory().videos).toHaveLength(3);
    }));

  it('is not explained as clean when it failed', () =>
    inScenario({}, async (scenario) => {
      const videos = [...manyVideos(3), video('bad', 'broken')];
      const run = await scenario.start('importVideos', { videos });

      await endOfRun(run);

      const { paragraph } = await clientOf(scenario).explain(run.workflowId);
      expect(paragraph).toContain('The videos that it has created are kept');
      expect(scenario.simulator.inventory().videos).toHaveLength(4);
    }));
});
