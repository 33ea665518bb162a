import { describe, expect, it } from '@jest/globals';

import { pauseUpdate, resumeUpdate, statusQuery } from '../../src/engine/core/messages.js';
import { planOf } from '../support/runs/plan-of.js';
import { inScenario } from '../simulation/scenario.js';
import { untilBlocked } from '../support/runs/until-blocked.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';
import { stateWithVideos, VIDEO_LIST } from '../support/worlds/videos.js';

const state = stateWithVideos([{ id: 5 }, { id: 6 }, { id: 8 }]);
const KEY_REFUSED = { kind: 'status', status: 401, body: { error: 'Token is invalid' } } as const;

describe('listVideos', () => {
  it('shows the videos in the order of the ids, and names those that are not listed', () =>
    inScenario({ state, record: 'videos-listed' }, async ({ start, mutations }) => {
      const run = await start('listVideos', { ids: '8 5-7 9', fields: ['slug', 'status'] });

      expect(await run.result()).toEqual({
        videos: [
          { id: 8, slug: 'slug8', status: 'ready' },
          { id: 5, slug: 'slug5', status: 'ready' },
          { id: 6, slug: 'slug6', status: 'ready' },
        ],
        missing: '7 9',
      });
      expect(mutations()).toEqual([]);
      expect((await run.query(statusQuery)).steps).toMatchObject([
        { name: 'read videos', state: 'verified', note: '3 videos, 2 not listed', resources: [] },
      ]);
    }));

  it('shows what an import shows when no fields are named', () =>
    inScenario({ state }, async ({ start }) => {
      const run = await start('listVideos', { ids: '5' });
      const { videos } = await run.result();

      expect(videos).toMatchObject([
        {
          ...{ id: 5, client_id: expect.any(Number), duration: 184_669 },
          ...{ hls_url: expect.stringMatching(/m3u8$/), screenshots: expect.any(Array) },
        },
      ]);
      expect(videos[0]).not.toHaveProperty('name');
    }));

  it('waits for a valid API key, and reads what a person has corrected meanwhile', () =>
    inScenario({ state }, async ({ start, simulator, account }) => {
      simulator.faults.add({ match: VIDEO_LIST, action: KEY_REFUSED });
      const run = await start('listVideos', { ids: '5', fields: ['slug'] });
      await untilBlocked(run, 'Unauthorized');

      const input = { account, ids: '6', fields: ['status'] };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });

      expect(await run.result()).toEqual({ videos: [{ id: 6, status: 'ready' }], missing: '' });
    }));

  it('gives what a person has asked for while it was reading', () =>
    inScenario({ state, timeoutMs: 15_000 }, async ({ start, simulator, account }) => {
      const gate = createGate();
      simulator.faults.add({ match: VIDEO_LIST, action: { kind: 'delay', until: gate.opened } });
      const run = await start('listVideos', { ids: '5', fields: [] });
      await until('the call is in flight', () => simulator.inFlight().length === 1);

      await run.executeUpdate(pauseUpdate);
      const input = { account, ids: '6', fields: [] };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });
      gate.open();

      expect(await run.result()).toEqual({ videos: [{ id: 6 }], missing: '' });
    }));

  it('plans with the ids that the API does not list', () =>
    inScenario({ state }, async (scenario) => {
      const plan = await planOf(scenario, 'listVideos', { input: { ids: '5-7' } });

      expect(plan).toMatchObject({
        ready: true,
        findings: [{ severity: 'warning', path: 'ids', message: expect.stringMatching(/: 7$/) }],
        calls: [
          { method: 'GET', path: '/streaming/videos', purpose: 'read 3 videos by their ids' },
        ],
      });
    }));
});
