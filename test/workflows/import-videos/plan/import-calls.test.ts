import { describe, expect, it } from '@jest/globals';

import { createDraft } from '../../../../src/engine/plan/planning.js';
import {
  importCalls,
  warnAboutVideos,
  type PlannedBatch,
} from '../../../../src/workflows/import-videos/plan/import-calls.js';

const batch = (lines: string, missing = lines): PlannedBatch => ({ lines, missing });

describe('the calls of an import', () => {
  const calls = (batches: PlannedBatch[], rest: Partial<Parameters<typeof importCalls>[0]> = {}) =>
    importCalls({ batches, looks: 1, waitFor: 'viewable', ...rest });

  it('are a look, one POST per batch, and the wait', () => {
    expect(calls([batch('1-500'), batch('501-502')])).toEqual([
      expect.objectContaining({ method: 'GET', path: '/streaming/videos' }),
      {
        method: 'POST',
        path: '/streaming/videos/batch',
        purpose: 'batch 1 of 2: create 500 videos; sent once',
      },
      {
        method: 'POST',
        path: '/streaming/videos/batch',
        purpose: 'batch 2 of 2: create 2 videos; sent once',
      },
      expect.objectContaining({ method: 'GET', purpose: expect.stringContaining('viewable') }),
    ]);
  });

  it('leave out videos that exist', () => {
    const sent = calls([batch('1-500', ''), batch('501-502', '502')], { looks: 2 });

    expect(sent.map(({ method, times }) => [method, times])).toEqual([
      ['GET', 2],
      ['POST', undefined],
      ['GET', undefined],
    ]);
    expect(sent[1]?.purpose).toContain('create 1 video');
  });

  it('have no wait when it is enough that the videos are made', () => {
    expect(calls([batch('1')], { waitFor: 'created' }).map(({ method }) => method)).toEqual([
      'GET',
      'POST',
    ]);
  });

  it('name the canary', () => {
    const [, first, second] = calls([batch('1-20'), batch('21-500')], { canary: 20 });

    expect([first?.purpose, second?.purpose]).toEqual([
      expect.stringContaining('the canary'),
      expect.not.stringContaining('canary'),
    ]);
  });

  it('become one row when there are many', () => {
    const batches = Array.from({ length: 21 }, (_, at) =>
      batch(`${at * 500 + 1}-${at * 500 + 500}`),
    );
    const posts = calls(batches, { canary: 500 }).filter(({ method }) => method === 'POST');

    expect(posts).toEqual([
      expect.objectContaining({
        times: 21,
        purpose: expect.stringContaining('create 10500 videos'),
      }),
    ]);
    expect(posts[0]?.purpose).toContain('first the canary, in 1 of them');
  });
});

describe('the warnings about the videos', () => {
  const NONE = { uploads: 0, originsWithCredentials: 0, originsWithHeaders: 0 };

  it.each([
    ['nothing of plain ones', {}, []],
    ['that some wait for a file', { uploads: 2 }, ['2 videos have no "origin_url"']],
    ['that some bring a header', { originsWithHeaders: 1 }, ['1 line has an HTTP header']],
    ['that some bring a password', { originsWithCredentials: 3 }, ['3 a user name or a password']],
  ])('say %s', (_, facts, said) => {
    const draft = createDraft('importVideos');
    warnAboutVideos(draft, 'manifest', { ...NONE, ...facts });

    expect(draft.finish().findings).toEqual(
      said.map((text) =>
        expect.objectContaining({
          severity: 'warning',
          path: 'manifest',
          advice: expect.any(String),
          message: expect.stringContaining(text),
        }),
      ),
    );
  });
});
