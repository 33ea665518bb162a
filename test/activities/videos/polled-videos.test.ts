import { describe, expect, it } from '@jest/globals';

import { toPolled } from '../../../src/activities/videos/polled-videos.js';
import type { Video } from '../../../src/contract/api/streaming.js';

function listed(...videos: Video[]): ReadonlyMap<number, Video> {
  return new Map(videos.map((video) => [video.id, video]));
}

const ASKED = { awaited: 'qualities', isInline: false } as const;

describe('a look at videos', () => {
  it('says what an answer lacks when it tells of no video where it is', () => {
    const seen = listed({ id: 1 }, { id: 2, status: 'ready' }, { id: 3, status: null });

    expect(() => toPolled([1, 2, 3, 4], seen, ASKED)).toThrow(
      'GET /streaming/videos was answered without [].status and [].converted_videos of 1, 2, 3',
    );
  });

  it('names three of them', () => {
    const wanted = Array.from({ length: 2_000 }, (_, at) => at + 1);
    const seen = listed(...wanted.map((id) => ({ id })));

    expect(() => toPolled(wanted, seen, ASKED)).toThrow(
      'without [].status of 1, 2, 3 and 1997 others',
    );
  });

  it('goes on as long as one tells it', () => {
    const seen = listed({ id: 1 }, { id: 2, status: 'pending' }, { id: 3, status: 'error' });

    expect(toPolled([1, 2, 3], seen, ASKED)).toMatchObject({
      pending: '1-2',
      failed: [{ ids: '3' }],
    });
    expect(toPolled([1, 3], seen, ASKED)).toMatchObject({ pending: '1' });
  });

  it('counts what is not listed as missing', () => {
    expect(toPolled([1, 2], listed(), ASKED)).toMatchObject({ pending: '', missing: '1-2' });
  });
});
