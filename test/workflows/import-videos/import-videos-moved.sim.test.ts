import { describe, expect, it } from '@jest/globals';

import { resumeUpdate } from '../../../src/engine/core/messages.js';
import { inScenario } from '../../simulation/scenario.js';
import { resetRun } from '../../support/runs/reset-run.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { BATCH, video } from '../../support/worlds/videos.js';

const QUOTA = { exception_class: 'QuotaLimitExceed', message: 'quota' };
const VIDEOS = [video('a'), video('b')];

describe('an import that was corrected, and reset to before that without its correction', () => {
  it.each([
    ['other videos', [video('x'), video('y')]],
    ['fewer videos', [video('a')]],
    ['more videos', [...VIDEOS, video('c')]],
    ['the same videos in another order', [...VIDEOS].reverse()],
  ])('imports nothing, and takes nothing for its own, after %s', (_what, corrected) =>
    inScenario({}, async ({ account, startRaw, simulator, client }) => {
      simulator.faults.add({ match: BATCH, action: { kind: 'status', status: 403, body: QUOTA } });
      const run = await startRaw('importVideos', [{ account, videos: VIDEOS }], 'corrected');
      await untilBlocked(run, 'QuotaExceeded');
      await run.executeUpdate(resumeUpdate, { args: [{ input: { account, videos: corrected } }] });
      await run.result();

      const point = { sending: 'createVideoBatch', withoutUpdates: true } as const;
      const { type, message } = await failureOfRun(await resetRun(client, run, point));

      expect([type, message]).toEqual(['InvalidInput', expect.stringContaining('another list')]);
      expect(simulator.inventory().videos.map(({ name }) => name)).toEqual(
        corrected.map(({ name }) => name),
      );
    }),
  );

  it('goes on where its list is the one that it was', () =>
    inScenario({}, async ({ account, startRaw, simulator, client }) => {
      const run = await startRaw('importVideos', [{ account, videos: VIDEOS }], 'as-it-was');
      await run.result();

      const again = await resetRun(client, run, { sending: 'createVideoBatch' });

      expect(await again.result()).toMatchObject({ counts: { succeeded: 2 } });
      expect(simulator.inventory().videos).toHaveLength(2);
    }));
});
