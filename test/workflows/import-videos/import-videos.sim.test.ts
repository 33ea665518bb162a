import { describe, expect, it } from '@jest/globals';

import { reportQuery } from '../../../src/contract/wire/messages.js';
import { statusQuery } from '../../../src/engine/core/messages.js';
import { reportLines } from '../../../src/contract/report-lines.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario } from '../../simulation/scenario.js';
import { BATCH, manyVideos, NOTHING_WRONG, video, wrongly } from '../../support/worlds/videos.js';
/** The value as JSON, with decoded payloads: a history holds them in base64. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) =>
    key === 'data' && typeof part === 'string' ? Buffer.from(part, 'base64').toString() : part,
  );
}

describe('importVideos', () => {
  it('makes every video of a list once, and reports the outcome of each', () =>
    inScenario({ record: 'imported' }, async ({ start, simulator, mutations }) => {
      const videos = manyVideos(3);
      const run = await start('importVideos', { videos });

      const { counts, report } = await run.result();

      expect(counts).toEqual({
        asked: 3,
        succeeded: 3,
        failed: 0,
        pending: 0,
        untried: 0,
        warned: 0,
        byClass: {},
      });
      const base = 'https://videos.example/videos/1_slug1';
      expect(report.details?.[0]).toEqual({
        id: 1,
        slug: 'slug1',
        client_id: 1,
        status: expect.stringMatching(/^(?:viewable|ready)$/),
        duration: expect.any(Number),
        hls_url: `${base}/master.m3u8`,
        dash_url: `${base}/master.mpd`,
        iframe_url: 'https://player.example/videos/1_slug1',
        screenshots: expect.arrayContaining([expect.stringContaining('.jpg')]),
      });
      const lines = [...reportLines(report)];
      expect(lines.map(({ video: shown }) => shown?.slug)).toEqual(['slug1', 'slug2', 'slug3']);
      expect(lines).toMatchObject([
        { line: 1, id: 1, outcome: 'viewable' },
        { line: 2, id: 2, outcome: 'viewable' },
        { line: 3, id: 3, outcome: 'viewable' },
      ]);
      expect(mutations()).toEqual(['POST /streaming/videos/batch']);
      expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
      expect(await run.query(statusQuery)).toMatchObject({
        phase: 'succeeded',
        steps: [{ note: '3 videos in 1 batch' }, {}, { note: '3 done, 0 failed, 0 pending' }],
      });
    }));

  it('sends a manifest in batches of 500, and makes every video once', () => {
    const videos = manyVideos(1_200);
    return inScenario(
      { manifests: { 'a.jsonl': videos } },
      async ({ start, simulator, mutations }) => {
        const run = await start('importVideos', {
          manifest: { url: 'file:a.jsonl' },
          fields: ['slug'],
        });

        const { counts, report } = await run.result();

        expect(counts).toMatchObject({ asked: 1_200, succeeded: 1_200 });
        expect(report.details).toHaveLength(100);
        expect((await run.query(reportQuery)).details).toHaveLength(1_200);
        expect(report.videos).toEqual([
          { lines: '1-500', ids: '1-500' },
          { lines: '501-1000', ids: '501-1000' },
          { lines: '1001-1200', ids: '1001-1200' },
        ]);
        expect(report.lines).toBe('1-1200');
        expect(mutations()).toHaveLength(3);
        expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
      },
    );
  });

  it('keeps the content of a manifest out of its history, its failure and the API log', () => {
    const secret = 'geheim-4711';
    const videos = [
      { name: 'a', origin_url: `sftp://login:${secret}@files.example.test/a.mp4` },
      { ...video('b'), origin_http_headers: `Authorization: Bearer ${secret}` },
    ];
    return inScenario({ manifests: { 'a.jsonl': videos } }, async ({ start, simulator }) => {
      const body = { errors: { origin_url: [`bad: sftp://login:${secret}@files.example.test`] } };
      simulator.faults.add({
        match: { ...BATCH, times: 3 },
        action: { kind: 'status', status: 422, body },
      });
      const run = await start('importVideos', { manifest: { url: 'file:a.jsonl' } });

      const failed = await failureOfRun(run);

      expect(failed.type).toBe('ItemsFailed');
      const report = await run.query(reportQuery);
      expect(report.failed).toMatchObject([
        {
          class: 'refused',
          lines: '1-2',
          text: expect.stringMatching(/422 \(origin_url, .*withheld/),
        },
      ]);
      const seen = textOf([await run.fetchHistory(), failed, report, simulator.requests]);
      expect(seen).toContain('file:a.jsonl');
      expect(seen).not.toContain(secret);
    });
  });

  it('finds every kind of failure, and counts failures by class', () => {
    const videos = [
      video('a'),
      video('b', 'not-found'),
      video('c', 'broken'),
      video('d', 'no-space'),
      video('e', 'forbidden'),
      { name: 'f' },
    ];
    return inScenario({ record: 'items-failed' }, async ({ start }) => {
      const run = await start('importVideos', { videos, tolerate: { count: 2 } });

      const failed = await failureOfRun(run);

      expect(failed.type).toBe('ItemsFailed');
      expect(failed.message).toContain('3 of 6 videos failed');
      expect(failed.details.counts).toMatchObject({
        succeeded: 3,
        failed: 3,
        warned: 1,
        byClass: { 'origin-not-found': 1, encoding: 1, 'origin-forbidden': 1 },
      });
      expect([...reportLines(await run.query(reportQuery))]).toMatchObject([
        { line: 1, id: 1, outcome: 'viewable' },
        { line: 2, outcome: 'failed', class: 'origin-not-found', video: { status: 'empty' } },
        { line: 3, outcome: 'failed', class: 'encoding', video: { status: 'error' } },
        { line: 4, id: 4, outcome: 'viewable', text: 'The storage limit has been exceeded' },
        { line: 5, outcome: 'failed', class: 'origin-forbidden' },
        { line: 6, id: 6, outcome: 'created', video: { slug: 'slug6' } },
      ]);
      expect(failed.details).toMatchObject({ step: 'await videos' });
    });
  });

  it.each([
    [{ count: 1 }, 'succeeded'],
    [{ percent: 50 }, 'succeeded'],
    [{ percent: 49 }, 'failed'],
  ])('tolerates %j of one failure in two', (tolerate, phase) =>
    inScenario({}, async ({ start }) => {
      const videos = [video('a'), video('b', 'broken')];
      const run = await start('importVideos', { videos, tolerate });

      await run.result().catch(() => undefined);

      expect(await run.query(statusQuery)).toMatchObject({ phase });
    }),
  );

  it.each(['ready', 'qualities'] as const)(
    'counts a lack of storage as a failure when it waits for "%s"',
    (waitFor) =>
      inScenario({}, async ({ start }) => {
        const videos = [video('a'), video('b', 'no-space')];
        const run = await start('importVideos', { videos, waitFor, tolerate: { count: 1 } });

        const { counts, report } = await run.result();

        expect(counts).toMatchObject({ succeeded: 1, byClass: { 'storage-limit': 1 }, warned: 0 });
        expect(report).toMatchObject({ outcome: waitFor, details: [{ status: 'ready' }, {}] });
      }),
  );

  it('does not wait for the videos with waitFor "created"', () =>
    inScenario({}, async ({ start, simulator }) => {
      const run = await start('importVideos', { videos: manyVideos(2), waitFor: 'created' });

      const { report } = await run.result();

      expect([...reportLines(report)]).toMatchObject([
        { outcome: 'created', video: { slug: 'slug1', status: 'empty' } },
        { outcome: 'created', video: { slug: 'slug2', status: 'empty' } },
      ]);
      // Before the first batch two looks for an earlier run of the request.
      expect(simulator.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST']);
    }));

  it('sends the canary first, and does not try the rest when too many of the canary fail', () =>
    inScenario({}, async ({ start, simulator }) => {
      const videos = [video('a'), video('b', 'broken'), ...manyVideos(5)];
      const options = { videos, canary: 2, tolerate: { percent: 20 } };
      const run = await start('importVideos', options);

      const failed = await failureOfRun(run);

      expect(failed).toMatchObject({ type: 'ItemsFailed', details: { counts: { untried: 5 } } });
      expect(failed.message).toContain('The other 5 were not tried');
      expect(simulator.inventory().videos).toHaveLength(2);
    }));

  it('sends the rest after a good canary', () =>
    inScenario({}, async ({ start, mutations }) => {
      const run = await start('importVideos', { videos: manyVideos(5), canary: 2 });

      const { counts } = await run.result();

      expect(counts).toMatchObject({ succeeded: 5 });
      expect(mutations()).toHaveLength(2);
    }));

  it('fails only the videos of a batch that the API refuses', () =>
    inScenario({}, async ({ start, simulator }) => {
      const videos = [...manyVideos(6), video('unacceptable'), video('z')];
      const run = await start('importVideos', { videos, tolerate: { count: 1 } });

      const { counts, report } = await run.result();

      expect(counts).toMatchObject({ succeeded: 7, byClass: { refused: 1 } });
      expect(report.failed).toMatchObject([{ lines: '7', text: expect.stringContaining('name') }]);
      expect(wrongly(simulator, videos)).toEqual({ twice: [], lost: ['unacceptable'] });
    }));

  it('gives up when the API accepts no video of a list', () =>
    inScenario({}, async ({ start, simulator }) => {
      const videos = Array.from({ length: 100 }, (_, at) => video(`unacceptable-${at}`));
      const run = await start('importVideos', { videos });

      expect((await failureOfRun(run)).type).toBe('InvalidRequest');
      expect(simulator.requests.length).toBeLessThan(150);
    }));

  it('imports only the chosen lines', () => {
    const videos = manyVideos(20);
    return inScenario({ manifests: { 'a.jsonl': videos } }, async ({ start, simulator }) => {
      const input = { manifest: { url: 'file:a.jsonl' }, lines: '2 5-6 20' };
      const { report } = await (await start('importVideos', input)).result();

      expect([...reportLines(report)].map(({ line }) => line)).toEqual([2, 5, 6, 20]);
      expect(simulator.inventory().videos.map(({ name }) => name)).toEqual([
        'video-2',
        'video-5',
        'video-6',
        'video-20',
      ]);
    });
  });
});

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
