import { describe, expect, it } from '@jest/globals';

import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario } from '../../support/runs/scenario.js';
import { manyVideos, video } from '../../support/worlds/videos.js';
describe('importVideos with a wrong input', () => {
  it.each([
    [{}, '(input)'],
    [{ videos: [video('a')], manifest: { url: 'file:a' } }, '(input)'],
    [{ videos: [video('a')], lines: '2' }, 'lines'],
    [{ videos: [{ name: 'a', origin_url: 'sftp://u:p@h/a' }] }, 'videos[0].origin_url'],
    [{ manifest: { url: 'file:../a' } }, 'manifest.url'],
  ])('refuses %j', (input, path) =>
    inScenario({}, async ({ startRaw, simulator }) => {
      const failed = await failureOfRun(await startRaw('importVideos', [input]));

      expect(failed).toMatchObject({ type: 'InvalidInput', details: { faults: [{ path }] } });
      expect(simulator.requests).toEqual([]);
    }),
  );

  it('names the faults of a manifest by line, and sends nothing', () => {
    return inScenario(
      { manifests: { 'a.jsonl': [...manyVideos(2), { nme: 1 }] } },
      async ({ start, simulator }) => {
        const run = await start('importVideos', { manifest: { url: 'file:a.jsonl' } });

        const failed = await failureOfRun(run);

        expect(failed).toMatchObject({
          type: 'InvalidInput',
          details: { faults: [{ path: 'line 3, name' }, { path: 'line 3, nme' }] },
        });
        expect(simulator.requests).toEqual([]);
      },
    );
  });
});
