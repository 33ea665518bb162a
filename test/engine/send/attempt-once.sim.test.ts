import { describe, expect, it } from '@jest/globals';

import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { bundleWorkflows } from '../../support/workers/bundle-workflows.js';

const WORKFLOWS = 'test/engine/workflows';
const withEngineWorkflows = async (test: (scenario: Scenario) => Promise<void>) =>
  inScenario({ workflows: await bundleWorkflows(WORKFLOWS) }, test);

const NOT_SENT = { kind: 'not-sent', isStale: true, waitMs: 0 };
const sentWithin = (scheduleToStartTimeout: number) => ({
  kind: 'answered',
  answer: { scheduleToStartTimeout },
});

describe('one attempt of a change', () => {
  it.each([
    ['gives a worker the rest of the half minute in which its look is fresh', [10_000], [20_000]],
    ['is not sent when its look is as old as that', [30_000], [undefined]],
    ['may rest on a four times older look after a miss', [30_000, 30_000], [undefined, 90_000]],
    [
      'may not any more when a worker has taken one',
      [30_000, 30_000, 30_000],
      [undefined, 90_000, undefined],
    ],
  ])('%s', (_, ages, left) =>
    withEngineWorkflows(async ({ startRaw, account }) => {
      const run = await startRaw('attempts', [{ account, ages }]);

      expect(await run.result()).toMatchObject(
        left.map((ms) => (ms === undefined ? NOT_SENT : sentWithin(ms))),
      );
    }),
  );

  it('may wait for a worker for an hour when its activity looks itself', () =>
    withEngineWorkflows(async ({ startRaw, account }) => {
      const first = { read: 'listInstances', input: {}, nothing: [] };
      const run = await startRaw('attempts', [{ account, ages: [30_000], first }]);

      const within = { scheduleToStartTimeout: 3_600_000, first };
      expect(await run.result()).toMatchObject([{ kind: 'answered', answer: within }]);
    }));

  it.each([
    ['is not made when a pause ends: the run looks again', false],
    ['is not made when another pause comes with the end of one', true],
  ])('%s', (_, isPausedAgain) =>
    withEngineWorkflows(async ({ startRaw, account }) => {
      const run = await startRaw('attemptsPaused', [{ account, isPausedAgain }]);

      expect(await run.result()).toMatchObject({ attempt: NOT_SENT, sent: 0 });
    }),
  );
});
