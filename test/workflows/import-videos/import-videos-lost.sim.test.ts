import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { reportLines } from '../../../src/contract/report-lines.js';
import { reportQuery } from '../../../src/contract/wire/messages.js';
import { statusQuery } from '../../../src/engine/core/messages.js';
import { createGate } from '../../support/timing/gate.js';
import type { FindVideosInput } from '../../../src/activities/videos/find-videos.js';
import { inputsOf } from './inputs-of.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import type { Line } from '../../support/http/open-line.js';
import { until } from '../../support/timing/until.js';
import { inScenario } from '../../simulation/scenario.js';
import {
  BATCH,
  manyVideos,
  NOTHING_WRONG,
  video,
  VIDEO_LIST,
  wrongly,
} from '../../support/worlds/videos.js';
const LOST = { match: BATCH, action: { kind: 'drop-response' } } as const;
const withCallerMarkers = (items: ReturnType<typeof manyVideos>) =>
  items.map((item, at) => ({ ...item, client_user_id: at % 3 }));

/** Nothing that the API shows tells the two videos apart. */
const ALIKE = [0, 60].map((clip_start_seconds) => ({
  ...video('same'),
  client_user_id: 7,
  clip_start_seconds,
}));

describe('importVideos when answers are lost', () => {
  it.each([
    ['with markers of its own', manyVideos(5)],
    ['with markers of the caller', withCallerMarkers(manyVideos(5))],
    ['with equal names', Array.from({ length: 5 }, () => video('same'))],
  ])('finds the videos of a batch %s again', (_, videos) =>
    inScenario({}, async ({ start, simulator, mutations }) => {
      simulator.faults.add(LOST);
      const run = await start('importVideos', { videos });

      const { counts } = await run.result();

      expect(counts).toMatchObject({ succeeded: 5, failed: 0 });
      expect(mutations()).toHaveLength(1);
      expect(simulator.inventory().videos).toHaveLength(5);
    }),
  );

  it('finds the videos of a batch again when lists lag', () =>
    inScenario({}, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match: BATCH, action: { kind: 'list-lag', ms: 400 } });
      simulator.faults.add(LOST);
      const videos = manyVideos(5);
      const run = await start('importVideos', { videos });

      await run.result();

      expect(mutations()).toHaveLength(1);
      expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
    }));

  /** Changes the lists of videos by their ids, by the time since the first one. */
  function withLists(change: (rows: object[], at: number) => object[]): Line {
    let since: number | undefined;
    return async (request) => {
      const answer = await fetch(request);
      if (!new URL(request.url).searchParams.has('id')) return answer;
      since ??= Date.now();
      const rows = z.array(z.looseObject({})).parse(await answer.json());
      return Response.json(change(rows, Date.now() - since));
    };
  }

  it('does not call a video removed that only lists lack', () => {
    const line = withLists((rows, at) => (at < 2_000 ? [] : rows));
    return inScenario({ line }, async ({ start }) => {
      const run = await start('importVideos', { videos: manyVideos(2) });

      expect((await run.result()).counts).toMatchObject({ succeeded: 2, failed: 0 });
    });
  });

  it('does not believe lists that lack many videos for a moment', () => {
    const line = withLists((rows, at) => {
      if (at < 1_000) return rows.map((row) => ({ ...row, status: 'pending' }));
      return at < 1_300 ? [] : rows;
    });
    return inScenario({ line }, async ({ start }) => {
      const run = await start('importVideos', { videos: manyVideos(60) });

      expect((await run.result()).counts).toMatchObject({ succeeded: 60, failed: 0 });
    });
  });

  it.each([2, 60])('reports %i videos that somebody has removed', (count) =>
    inScenario({}, async ({ start, simulator }) => {
      const run = await start('importVideos', {
        videos: manyVideos(count),
        tolerate: { count },
      });
      await until('they are made', () => simulator.inventory().videos.length === count);
      simulator.restore({ ...simulator.snapshot(), videos: [] });

      const { counts } = await run.result();

      expect(counts).toMatchObject({ succeeded: 0, byClass: { removed: count } });
    }),
  );

  it('does not treat a video that is not listed yet as removed', () =>
    inScenario({}, async ({ start, simulator }) => {
      simulator.faults.add({ match: BATCH, action: { kind: 'list-lag', ms: 450 } });
      const run = await start('importVideos', { videos: manyVideos(2) });

      expect((await run.result()).counts).toMatchObject({ succeeded: 2, failed: 0 });
    }));

  it.each([
    ['lost', true],
    ['short', false],
  ])(
    'sends only the missing videos when the API made part of a batch and its answer is %s',
    (_, isLost) =>
      inScenario({}, async ({ start, simulator, mutations }) => {
        simulator.faults.add({ match: BATCH, action: { kind: 'partial-batch', items: 3 } });
        if (isLost) simulator.faults.add(LOST);
        const videos = manyVideos(8);
        const run = await start('importVideos', { videos });

        const { report } = await run.result();

        expect(report.videos).toEqual([
          { lines: '1-3', ids: '1-3' },
          { lines: '4-8', ids: '4-8' },
        ]);
        expect(mutations()).toHaveLength(2);
        expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
      }),
  );

  it('sends the missing videos of a short answer again, although the API has turned tries away', () =>
    inScenario({}, async ({ start, simulator, mutations }) => {
      const turnedAway = { kind: 'status', status: 429, retryAfter: '1' } as const;
      simulator.faults.add({ match: { ...BATCH, times: 2 }, action: turnedAway });
      const partial = { kind: 'partial-batch', items: 3 } as const;
      simulator.faults.add({ match: { ...BATCH, nth: 3 }, action: partial });
      const videos = manyVideos(8);
      const run = await start('importVideos', { videos });

      const { counts } = await run.result();

      expect(counts).toMatchObject({ succeeded: 8, failed: 0 });
      expect(mutations()).toHaveLength(4);
      expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
    }));

  it('reports the videos that the API never makes', () =>
    inScenario({}, async ({ start, simulator }) => {
      simulator.faults.add({
        match: { ...BATCH, times: Infinity },
        action: { kind: 'partial-batch', items: 0 },
      });
      const run = await start('importVideos', { videos: manyVideos(2) });

      expect((await failureOfRun(run)).details.counts).toMatchObject({
        byClass: { 'not-made': 2 },
      });
    }));

  it('asks a person when nothing shows which of two equal videos is missing', () =>
    inScenario({}, async ({ start, simulator }) => {
      simulator.faults.add({ match: BATCH, action: { kind: 'partial-batch', items: 1 } });
      simulator.faults.add(LOST);
      const run = await start('importVideos', { videos: ALIKE, onBlocked: 'fail' });

      expect((await failureOfRun(run)).type).toBe('OutcomeUnknown');
      expect(simulator.inventory().videos).toHaveLength(1);
    }));

  it('looks on when the list shows a part of the videos first, and nothing shows which', () => {
    let late = 1;
    const line = async (request: Request): Promise<Response> => {
      const answer = await fetch(request);
      if (request.method !== 'GET') return answer;
      const rows: unknown = await answer.json();
      const isPart = Array.isArray(rows) && rows.length === 2 && late-- > 0;
      return Response.json(isPart ? rows.slice(1) : rows);
    };
    return inScenario({ line }, async ({ start, simulator, mutations }) => {
      simulator.faults.add(LOST);
      const run = await start('importVideos', { videos: ALIKE, onBlocked: 'fail' });

      expect((await run.result()).counts).toMatchObject({ succeeded: 2, failed: 0 });
      expect(mutations()).toHaveLength(1);
    });
  });

  it('does not say that nobody has tried what its last call may have made', () =>
    inScenario({}, async ({ simulator, start }) => {
      const gate = createGate();
      simulator.faults.add(LOST);
      const looks = { ...VIDEO_LIST, nth: 3, times: Infinity };
      simulator.faults.add({ match: looks, action: { kind: 'delay', until: gate.opened } });
      const run = await start('importVideos', { videos: manyVideos(5) });
      await until('they are made', () => simulator.inventory().videos.length === 5);
      await until('the answer is lost', async () => {
        const { steps } = await run.query(statusQuery);
        return steps[1]?.state === 'outcome-unknown';
      });

      await run.terminate('by an operator');
      gate.open();

      const outcomes = [...reportLines(await run.query(reportQuery))].map(({ outcome }) => outcome);
      expect(outcomes).toEqual(Array.from({ length: 5 }, () => 'unknown'));
    }));

  it('sends a batch again that never arrived', () =>
    inScenario({}, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match: BATCH, action: { kind: 'drop-request' } });
      const videos = manyVideos(5);
      const run = await start('importVideos', { videos });

      await run.result();

      expect(mutations()).toHaveLength(2);
      expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
    }));

  it('tells a look at a part of a refused batch which parts come later', () =>
    inScenario({}, async ({ start }) => {
      const videos = [video('unacceptable'), ...manyVideos(3)];
      const input = { videos, waitFor: 'created', tolerate: { count: 1 } } as const;
      const run = await start('importVideos', input);
      await run.result();

      const looks = await inputsOf<FindVideosInput>(run, 'findVideoBatch');

      const parts = [
        ['1-4', undefined],
        ['1-2', '3-4'],
        ['1', '2 3-4'],
        ['2', '3-4'],
        ['3-4', ''],
      ];
      // Each is looked for twice before it is made.
      expect(looks.map(({ only, beside }) => [only, beside])).toEqual(
        parts.flatMap((part) => [part, part]),
      );
    }));
});

describe('importVideos long after a run of the request was terminated', () => {
  it('makes no video again because one list lacks those that it has made', () =>
    inScenario({}, async ({ start, simulator, mutations }) => {
      const videos = manyVideos(2);
      const workflowId = 'import-videos/default/may';
      const first = await start('importVideos', { videos }, workflowId);
      await until('both are made', () => simulator.inventory().videos.length === 2);
      await first.terminate();
      await new Promise((resolve) => setTimeout(resolve, 3_600_000));
      simulator.faults.add({
        match: VIDEO_LIST,
        action: { kind: 'status', status: 200, body: [] },
      });

      const again = await start('importVideos', { videos }, workflowId);

      expect((await again.result()).counts).toMatchObject({ succeeded: 2, failed: 0 });
      expect(mutations()).toHaveLength(1);
      expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
    }));
});

describe('importVideos when one answer shows a failure that the others do not', () => {
  it.each([
    ['a status', { status: 'error' }],
    ['an error', { status: 'empty', error: 'Connection reset by peer' }],
  ])('does not believe it: %s', (_, shown) =>
    inScenario({}, async ({ start, simulator, mutations }) => {
      const videos = manyVideos(2);
      // Before the first batch two looks for an earlier run of the request.
      simulator.faults.add({
        match: { ...VIDEO_LIST, nth: 3 },
        action: { kind: 'status', status: 200, body: [{ id: 1, ...shown }, { id: 2 }] },
      });
      const run = await start('importVideos', { videos });

      expect((await run.result()).counts).toMatchObject({ succeeded: 2, failed: 0 });
      expect(mutations()).toHaveLength(1);
      expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
    }),
  );
});
