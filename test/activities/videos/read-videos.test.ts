import { describe, expect, it } from '@jest/globals';

import { inActivity } from '../../support/http/in-activity.js';
import { createScriptedApi, json } from '../../support/http/scripted-api.js';

const LINK = 'https://d.gvideo.test/1/master.m3u8';

const isOfOne = (url: string) => /\/videos\/\d+$/.test(url);

/** An API that lists these rows to each call, one answer after the other, and then nothing. It finds no video by its id. */
function listing(...answers: object[][]) {
  const left = [...answers];
  return createScriptedApi(({ url }) =>
    isOfOne(url) ? json({ status: 404, error: 'not found' }, 404) : json(left.shift() ?? []),
  );
}

describe('readVideos', () => {
  it('shows the chosen fields in the order of the ids, with one call', async () => {
    const rows = [
      { id: 1, slug: 'a', hls_url: LINK, name: 'one' },
      { id: 2, slug: 'b', hls_url: `${LINK}?token=secret` },
      { id: 7, slug: 'c', origin_url: 'sftp://u:secret@h/a' },
    ];
    const { activities, requests } = listing(rows);
    const read = await inActivity(() =>
      activities.readVideos({ ids: '7 1-2', fields: ['slug', 'hls_url'] }),
    );

    expect(requests.map(({ url }) => url.searchParams.get('id'))).toEqual(['7,1,2']);
    expect(read).toEqual({
      videos: [
        { id: 7, slug: 'c' },
        { id: 1, slug: 'a', hls_url: LINK },
        { id: 2, slug: 'b' },
      ],
      missing: '',
      isSure: true,
    });
  });

  it('takes no row of another id, which does not end the reading either', async () => {
    const { activities } = listing([{ id: 8 }, { id: 9 }], [{ id: 1 }, { id: 2 }]);

    expect(await inActivity(() => activities.readVideos({ ids: '1-2', fields: [] }))).toEqual({
      videos: [{ id: 1 }, { id: 2 }],
      missing: '',
      isSure: true,
    });
  });

  it('ends when the API lists other videos only', async () => {
    const { activities } = createScriptedApi(({ url }) =>
      isOfOne(url) ? json({ error: 'not found' }, 404) : json([{ id: 8 }]),
    );

    expect(await inActivity(() => activities.readVideos({ ids: '1', fields: [] }))).toEqual({
      videos: [],
      missing: '1',
      isSure: true,
    });
  });

  it('names an id as missing only after a list to its end without it', async () => {
    const pages = [[{ id: 1 }, { id: 2 }], [{ id: 4 }, { id: 5 }], [{ id: 6 }]];
    // Video 1 was deleted after the first page, so 3 was on none. Then 3 alone is there, and then nothing.
    const { activities, requests } = listing(...pages, [{ id: 3 }]);
    const read = await inActivity(() => activities.readVideos({ ids: '1-7', fields: [] }));

    expect(read.videos.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(read.missing).toBe('7');
    expect(requests.map(({ url }) => url.searchParams.get('id') ?? url.pathname)).toEqual([
      ...Array<string>(5).fill('1,2,3,4,5,6,7'),
      ...['7', '/streaming/videos/7'],
    ]);
  });

  it('finds by its id what the list lacks', async () => {
    const { activities } = createScriptedApi(({ url }) =>
      json(isOfOne(url) ? { id: 2, status: 'ready' } : [{ id: 1, status: 'ready' }]),
    );

    expect(
      await inActivity(() => activities.readVideos({ ids: '1-2', fields: ['status'] })),
    ).toEqual({
      videos: [
        { id: 1, status: 'ready' },
        { id: 2, status: 'ready' },
      ],
      missing: '',
      isSure: true,
    });
  });

  it('reads no more than 50 one by one, and says so', async () => {
    const { activities, requests } = listing();

    expect(await inActivity(() => activities.readVideos({ ids: '1-51', fields: [] }))).toEqual({
      videos: [],
      missing: '1-51',
      isSure: false,
    });
    expect(requests.filter(({ url }) => isOfOne(url.pathname))).toEqual([]);
  });
});

describe('pollVideos', () => {
  it('does not take rows of other ids for those that it waits for', async () => {
    const { activities } = listing([{ id: 8 }], [{ id: 1, status: 'ready' }]);
    const seen = await inActivity(() => activities.pollVideos({ ids: '1', awaited: 'ready' }));

    expect(seen.missing).toBe('');
  });
});
