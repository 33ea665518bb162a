import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import type { VideoItem } from '../../../src/contract/api/streaming.js';
import { NameForm } from '../../../src/simulator/index.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
import { BATCH } from '../../support/worlds/videos.js';
const LOST = { match: BATCH, action: { kind: 'drop-response' } } as const;
const PARTIAL = { match: BATCH, action: { kind: 'partial-batch', items: 2 } } as const;

/** Each is stored in another form by one of the stores. */
const NAMES = [
  'film \u{1F600} 1',
  'film \u{1F600} 2',
  'cafe\u0301',
  ' two  blanks',
  'x'.repeat(300),
];
const videosOf = (change: Partial<VideoItem> = {}) =>
  NAMES.map((name, at) => ({
    name,
    origin_url: `https://files.example.test/${at}.mp4`,
    ...change,
  }));

describe('importVideos where names are stored in another form', () => {
  it.each(Object.values(NameForm))('makes each video once with names %s', (nameForm) =>
    inScenario({ nameForm }, async ({ start, simulator }) => {
      simulator.faults.add(PARTIAL);
      simulator.faults.add(LOST);
      const run = await start('importVideos', { videos: videosOf() });

      const { counts } = await run.result();

      expect(counts).toMatchObject({ succeeded: NAMES.length, failed: 0 });
      expect(simulator.inventory().videos).toHaveLength(NAMES.length);
    }),
  );

  it('takes its answer also when names alone would tell nothing', () =>
    inScenario({ nameForm: NameForm.cutAtEmoji }, async ({ start, simulator, mutations }) => {
      const videos = NAMES.slice(0, 2).map((name) => ({ name }));
      const run = await start('importVideos', { videos, waitFor: 'created' });

      expect((await run.result()).counts).toMatchObject({ succeeded: 2 });
      expect(simulator.inventory().videos).toHaveLength(2);
      expect(mutations()).toHaveLength(1);
    }));

  it('sends nothing again while videos under its marker may be those that it misses', () =>
    inScenario({ nameForm: NameForm.cutAtEmoji }, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match: BATCH, action: { kind: 'partial-batch', items: 1 } });
      simulator.faults.add(LOST);
      const videos = NAMES.slice(0, 2).map((name) => ({ name }));
      const run = await start('importVideos', { videos, onBlocked: 'fail' });

      const failure = await failureOfRun(run);

      expect(failure.type).toBe('OutcomeUnknown');
      expect(failure.message).toContain('Videos 1 may be of lines 1-2');
      expect(mutations()).toHaveLength(1);
    }));
});

describe('importVideos with markers of the caller', () => {
  it.each([
    ['behind', -7_200_000],
    ['ahead', 7_200_000],
  ])('makes each video once although the clock of the API is two hours %s', (_, aheadMs) =>
    inScenario({}, async ({ start, simulator, mutations, setCloudAhead }) => {
      setCloudAhead(aheadMs);
      simulator.faults.add(LOST);
      const run = await start('importVideos', { videos: videosOf({ client_user_id: 7 }) });

      expect((await run.result()).counts).toMatchObject({ succeeded: NAMES.length });
      expect(simulator.inventory().videos).toHaveLength(NAMES.length);
      expect(mutations()).toHaveLength(1);
    }),
  );

  it('takes no video that was there before, however new it is', () =>
    inScenario({}, async ({ start, simulator, setCloudAhead }) => {
      setCloudAhead(7_200_000);
      const videos = videosOf({ client_user_id: 7 }).slice(2, 4);
      const other = await start('importVideos', { videos });
      await other.result();
      simulator.faults.add(LOST);
      const run = await start('importVideos', { videos });

      const { report } = await run.result();

      expect(report.videos).toEqual([{ lines: '1-2', ids: '3-4' }]);
      expect(simulator.inventory().videos).toHaveLength(4);
    }));

  it('takes over what an earlier run of the request made when the clock of the API is behind', () =>
    inScenario({}, async ({ start, simulator, setCloudAhead }) => {
      setCloudAhead(-7_200_000);
      const videos = videosOf({ client_user_id: 7 });
      const workflowId = `own-${randomUUID()}`;
      const first = await start('importVideos', { videos, waitFor: 'ready' }, workflowId);
      await until('the videos exist', () => simulator.inventory().videos.length === NAMES.length);
      await first.terminate();
      const second = await start('importVideos', { videos }, workflowId);

      expect((await second.result()).counts).toMatchObject({ succeeded: NAMES.length });
      expect(simulator.inventory().videos).toHaveLength(NAMES.length);
    }));
});
