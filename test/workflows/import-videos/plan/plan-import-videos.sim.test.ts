import { describe, expect, it } from '@jest/globals';

import { planOf } from '../../../support/runs/plan-of.js';
import { plannedWrites } from '../../planned-writes.js';
import { failureOfRun } from '../../../support/runs/run-failure.js';
import { inScenario } from '../../../simulation/scenario.js';
import { BATCH, manyVideos, video } from '../../../support/worlds/videos.js';
const MANIFEST = { url: 'file:videos.jsonl' };

describe('the plan of importVideos', () => {
  it('lists the calls that change something exactly as the run sends them', () => {
    return inScenario({ manifests: { 'videos.jsonl': manyVideos(1_020) } }, async (scenario) => {
      const input = { manifest: MANIFEST, canary: 20, waitFor: 'created' as const };
      await (await scenario.start('importVideos', input)).result();
      const sent = scenario.mutations();
      const before = scenario.simulator.snapshot();

      const plan = await planOf(scenario, 'importVideos', { input });

      expect(plan).toMatchObject({
        operation: 'importVideos',
        ready: true,
        findings: [],
        adopts: [],
      });
      expect(plannedWrites(plan, /x/, '')).toEqual(sent);
      expect(sent).toHaveLength(3);
      expect(plan.calls[1]?.purpose).toContain('batch 1 of 3: create 20 videos, the canary');
      expect(scenario.simulator.snapshot()).toEqual(before);
    });
  });

  it('finds the videos of an earlier try of the same request', () =>
    inScenario({}, async (scenario) => {
      // One video fails, so the same request may start again.
      const input = { videos: [video('a'), video('b', 'not-found')] };
      const workflowId = `import-videos/${scenario.account}/order-1`;
      await failureOfRun(await scenario.start('importVideos', input, workflowId));
      const before = scenario.mutations();

      const same = await planOf(scenario, 'importVideos', { input, requestId: 'order-1' });
      const other = await planOf(scenario, 'importVideos', { input });

      expect(same.adopts).toMatchObject([
        { kind: 'videos', id: expect.stringMatching(/^\d+-\d+$/) },
      ]);
      expect(plannedWrites(same, /x/, '')).toEqual([]);
      expect(other.adopts).toEqual([]);
      expect(plannedWrites(other, /x/, '')).toEqual([`${BATCH.method} ${BATCH.path}`]);
      expect(scenario.mutations()).toEqual(before);
    }));

  it('is not ready when an earlier try of the request had another list', () =>
    inScenario({}, async (scenario) => {
      const workflowId = `import-videos/${scenario.account}/order-1`;
      const failing = { videos: [video('a', 'not-found')] };
      await failureOfRun(await scenario.start('importVideos', failing, workflowId));

      const input = { videos: manyVideos(2) };
      const { ready, findings } = await planOf(scenario, 'importVideos', {
        input,
        requestId: 'order-1',
      });

      expect(ready).toBe(false);
      expect(findings).toMatchObject([{ severity: 'fault', path: 'videos' }]);
    }));

  it('says that the manifest contains credentials, and shows none', () => {
    const secret = { origin_http_headers: 'Authorization: Bearer canary-1' };
    const manifests = {
      'videos.jsonl': [
        { ...video('a'), ...secret },
        { ...video('b'), origin_url: 'https://me:canary-2@files.example.test/b.mp4' },
        { name: 'c' },
      ],
    };
    return inScenario({ manifests }, async (scenario) => {
      const requestId = 'order-1';
      const plan = await planOf(scenario, 'importVideos', {
        input: { manifest: MANIFEST, canary: 3 },
        requestId,
      });

      expect(plan.ready).toBe(true);
      expect(plan.findings.map(({ path, message }) => [path, message])).toEqual([
        ['manifest', expect.stringContaining('1 video has no "origin_url"')],
        ['manifest', expect.stringContaining('1 line has an HTTP header for the origin, 1')],
        ['canary', expect.stringContaining('3 covers all 3 videos')],
      ]);
      expect(JSON.stringify(plan)).not.toContain('canary-');
    });
  });

  it.each([
    ['a missing manifest', { url: 'file:none.jsonl' }, ['manifest.url', /none.jsonl/]],
    [
      'a manifest with another digest',
      { ...MANIFEST, sha256: '0'.repeat(64) },
      ['manifest.sha256', /does not match/],
    ],
    ['a bad line', MANIFEST, ['line 2, origin_url', /http, https or sftp/]],
  ] as const)('is not ready with %s', (_, manifest, [path, says]) => {
    const isGood = 'sha256' in manifest;
    const lines = [
      video('a'),
      { name: 'b', origin_url: isGood ? null : 'ftp://files.example.test/b' },
    ];
    return inScenario({ manifests: { 'videos.jsonl': lines } }, async (scenario) => {
      const { ready, findings } = await planOf(scenario, 'importVideos', { input: { manifest } });

      expect(ready).toBe(false);
      expect(findings).toEqual([
        {
          severity: 'fault',
          path,
          message: expect.stringMatching(says),
          advice: expect.any(String),
        },
      ]);
      expect(scenario.simulator.requests).toEqual([]);
    });
  });
});
