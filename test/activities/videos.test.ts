import { describe, expect, it } from '@jest/globals';

import { z } from 'zod';

import type { VideoBatch } from '../../src/activities/videos/video-batch.js';
import type { VideoItem } from '../../src/contract/api/streaming.js';
import { failureIn, inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const batch = (values: readonly VideoItem[]): VideoBatch => ({
  name: 'run 1-2',
  items: { kind: 'inline', items: values.map((value, at) => ({ line: at + 1, value })) },
});
const two = batch([{ name: 'a' }, { name: 'b', origin_url: 'https://h.test/b' }]);

const sentSchema = z.object({
  videos: z.array(z.looseObject({ name: z.string(), client_user_id: z.number() })),
});

/** Answers a batch like the API, with the changes of a test. */
function answering(change: (rows: object[]) => object[]) {
  return createScriptedApi(async (request) => {
    const { videos } = sentSchema.parse(await request.json());
    return json(change(videos.map((video, at) => ({ ...video, id: 100 + at }))));
  });
}

describe('createVideoBatch', () => {
  it('sends the items with their markers and accepts the answer in any order', async () => {
    const { activities, requests } = answering((rows) => rows.reverse());
    const made = await inActivity(() => activities.createVideoBatch({ ...two, maker: 'maker-1' }));

    expect(made).toEqual({ lines: '1-2', ids: '100-101', uploads: '1' });
    expect(requests).toMatchObject([
      { method: 'POST', body: { videos: [{ name: 'a', client_user_id: expect.any(Number) }, {}] } },
    ]);
    expect(requests[0]?.url.pathname).toBe('/streaming/videos/batch');
    // A narrower answer would leave out the error and the marker.
    expect(requests[0]?.url.search).toBe('');
  });

  it('takes no video that the answer names twice for two', async () => {
    const { activities } = answering(([first]) => (first === undefined ? [] : [first, first]));

    const failure = await failureIn(() =>
      activities.createVideoBatch({ ...two, maker: 'maker-1' }),
    );

    expect(failure.type).toBe('OutcomeUnknown');
  });

  it('shows what only the answer says of the first videos', async () => {
    const iframe = { iframe_url: 'https://p.test/a' };
    const { activities } = answering((rows) => rows.map((row) => ({ ...row, ...iframe })));
    const show = { most: 1, fields: ['iframe_url', 'hls_url'] } as const;
    const made = await inActivity(() =>
      activities.createVideoBatch({ ...two, maker: 'maker-1', show }),
    );

    expect(made.details).toEqual([{ id: 100, ...iframe }]);
  });

  it('sends only the selected lines, under the same markers', async () => {
    const { activities, requests } = answering((rows) => rows);
    await inActivity(() => activities.createVideoBatch({ ...two, maker: 'maker-1' }));
    await inActivity(() => activities.createVideoBatch({ ...two, maker: 'maker-1', only: '2' }));
    const [whole, part] = requests.map(({ body }) => body);

    const [, second] = sentSchema.parse(whole).videos;

    expect(sentSchema.parse(part).videos).toEqual([second]);
  });

  it('matches an answer without markers by its order', async () => {
    const { activities } = answering((rows) =>
      rows.map((row) => ({ ...row, client_user_id: null })),
    );

    expect(
      await inActivity(() => activities.createVideoBatch({ ...two, maker: 'maker-1' })),
    ).toMatchObject({
      lines: '1-2',
      ids: '100-101',
    });
  });

  it('has an unknown outcome when the answer lists fewer videos, unless the try is final', async () => {
    const { activities } = answering((rows) => rows.slice(0, 1));
    const failed = await failureIn(() => activities.createVideoBatch({ ...two, maker: 'maker-1' }));

    expect(failed).toMatchObject({ type: 'OutcomeUnknown', nonRetryable: true });
    expect(failed.message).toContain('1 of the 2 videos');
    expect(
      await inActivity(() =>
        activities.createVideoBatch({ ...two, maker: 'maker-1', isFinal: true }),
      ),
    ).toEqual({
      lines: '1',
      ids: '100',
      uploads: '1',
    });
  });

  it('shows no credentials of a source that the API repeats', async () => {
    const secret = batch([
      {
        name: 'a',
        origin_url: 'sftp://login:p%40ss-word@h.test/a',
        origin_http_headers: 'Authorization: Bearer abc-token',
      },
    ]);
    const errors = {
      origin_url: ['sftp://login:p%40ss-word@h.test/a is bad, p@ss-word too'],
      origin_http_headers: ['Authorization: Bearer abc-token', 'abc-token'],
    };
    const { activities } = createScriptedApi(() => json({ errors }, 422));
    const failed = await failureIn(() =>
      activities.createVideoBatch({ ...secret, maker: 'maker-1' }),
    );

    expect(failed.type).toBe('InvalidRequest');
    expect(JSON.stringify([failed.message, failed.details])).not.toMatch(
      /p%40ss|p@ss|abc-token|login/,
    );
  });
});

describe('the text of a failed video', () => {
  const rows = [{ id: 1, status: 'error', error: 'No codec for https://h.test/a?sig=canary' }];
  const poll = (isInline?: boolean) => {
    const { activities } = createScriptedApi(() => json(rows));
    const input = { ids: '1', awaited: 'ready', ...(isInline && { isInline }) } as const;
    return inActivity(() => activities.pollVideos(input));
  };

  it('leaves for a list of the input, without the query of a URL', async () => {
    const { failed } = await poll(true);

    expect(failed).toEqual([
      { class: 'other', text: 'No codec for https://h.test/a?[redacted]', ids: '1' },
    ]);
  });

  it('is withheld for a manifest when the guide does not name it', async () => {
    const { failed } = await poll();

    expect(failed).toMatchObject([{ class: 'other', text: expect.stringMatching(/withheld/) }]);
  });
});

describe('findVideoBatch', () => {
  const own = batch([{ name: 'a', client_user_id: 7 }]);
  const at = (created_at: string, id: number) => ({ id, name: 'a', client_user_id: 7, created_at });
  const since = Date.parse('2026-01-01T12:00:00Z');

  it('accepts videos with a marker of the caller only when they are new and free', async () => {
    const rows = [
      at('2026-01-01T11:50:00Z', 1),
      at('2026-01-01T12:00:01Z', 2),
      at('2026-01-01T12:00:02Z', 3),
    ];
    const { activities } = createScriptedApi(() => json(rows));
    const find = (known: string[]) =>
      inActivity(() => activities.findVideoBatch({ ...own, since, known }));

    expect(await find([])).toMatchObject({ lines: '1', ids: '2', missing: '' });
    expect(await find(['2'])).toMatchObject({ ids: '3' });
    expect(await find(['1-9'])).toMatchObject({ ids: '', missing: '1' });
  });

  it.each([
    ['a video of ours with another origin', { origin_url: 'https://b.test/a.mp4' }, 1],
    ['a video of ours with another name', { name: 'b' }, 1],
    ['its own video', {}, undefined],
  ])('counts what is not provably of the list: %s', async (_, changes, unproven) => {
    const item = { name: 'a', origin_url: 'https://a.test/a.mp4' };
    const sent = answering((rows) => rows);
    await inActivity(() =>
      sent.activities.createVideoBatch({ ...batch([item]), maker: 'maker-1' }),
    );
    const [row] = sentSchema.parse(sent.requests[0]?.body).videos;
    const { activities } = createScriptedApi(() => json([{ ...row, ...changes, id: 5 }]));

    const found = await inActivity(() =>
      activities.findVideoBatch({ ...batch([item]), since: 0, known: [] }),
    );

    expect(found.unproven).toBe(unproven);
  });

  it('leaves the videos of lines that are still to come to those lines', async () => {
    const items = [1, 2, 3, 4].map((at) => ({ name: 'a', origin_url: `https://h.test/${at}` }));
    const sent = answering((rows) => rows);
    await inActivity(() => sent.activities.createVideoBatch({ ...batch(items), maker: 'maker-1' }));
    const { videos } = sentSchema.parse(sent.requests[0]?.body);
    const [, ...made] = videos.map((row, at) => ({ ...row, id: 10 + at }));
    const { activities } = createScriptedApi(() => json(made));

    const found = await inActivity(() =>
      activities.findVideoBatch({
        ...batch(items),
        since: 0,
        known: [],
        only: '1-2',
        beside: '3-4',
      }),
    );

    expect(found).toMatchObject({ lines: '2', ids: '11', missing: '1', unclear: '' });
  });

  it('counts each video with a marker of the caller', async () => {
    const { activities } = createScriptedApi(() => json([at('2026-01-01T12:00:01Z', 2)]));

    const found = await inActivity(() =>
      activities.findVideoBatch({ ...own, since: 0, known: [] }),
    );

    expect(found).toMatchObject({ ids: '2', unproven: 1 });
  });

  it('misses no video because somebody removes another one between two pages', async () => {
    const items = Array.from({ length: 5 }, (_, index) => ({ name: `v${index}` }));
    const sent = answering((rows) => rows);
    await inActivity(() => sent.activities.createVideoBatch({ ...batch(items), maker: 'maker-1' }));
    const all = sentSchema.parse(sent.requests[0]?.body).videos.map((row, id) => ({ ...row, id }));
    let requests = 0;
    const { activities } = createScriptedApi(({ url }) => {
      requests += 1;
      if (requests === 2) all.splice(0, 1);
      const page = Number(new URL(url).searchParams.get('page'));
      return json(all.slice((page - 1) * 2, page * 2));
    });

    const found = await inActivity(() =>
      activities.findVideoBatch({ ...batch(items), since: 0, known: [] }),
    );

    expect(found).toMatchObject({ lines: '1-5', missing: '' });
  });

  it('reads on when the API returns smaller pages than requested', async () => {
    const items = Array.from({ length: 5 }, (_, index) => ({ name: `v${index}` }));
    const sent = answering((rows) => rows);
    await inActivity(() => sent.activities.createVideoBatch({ ...batch(items), maker: 'maker-1' }));
    const all = sentSchema.parse(sent.requests[0]?.body).videos;
    const { activities, requests } = createScriptedApi(({ url }) => {
      const page = Number(new URL(url).searchParams.get('page'));
      return json(
        all.slice((page - 1) * 2, page * 2).map((row, nth) => ({ ...row, id: page * 10 + nth })),
      );
    });

    const found = await inActivity(() =>
      activities.findVideoBatch({ ...batch(items), since: 0, known: [] }),
    );

    expect(found).toMatchObject({ lines: '1-5', missing: '' });
    expect(requests).toHaveLength(3);
  });

  it('reads past the videos of others when the API does not know the filter', async () => {
    const sent = answering((rows) => rows);
    await inActivity(() => sent.activities.createVideoBatch({ ...two, maker: 'maker-1' }));
    const own = sentSchema.parse(sent.requests[0]?.body).videos;
    const rows = [{ client_user_id: 5 }, { client_user_id: 6 }, ...own];
    const { activities } = createScriptedApi(({ url }) => {
      const page = Number(new URL(url).searchParams.get('page'));
      const all = rows.map((row, at) => ({ ...row, id: 100 + at }));
      return json(all.slice((page - 1) * 2, page * 2));
    });

    const found = await inActivity(() =>
      activities.findVideoBatch({ ...two, since: 0, known: [] }),
    );

    expect(found).toMatchObject({ lines: '1-2', ids: '102-103', missing: '' });
  });
});

describe('pollVideos', () => {
  it('reads all ids with one call and sorts them by outcome', async () => {
    const rows = [
      { id: 1, status: 'ready' },
      { id: 2, status: 'pending' },
      { id: 3, status: 'empty', error: 'Access to the origin is forbidden: sftp://u:secret@h/a' },
      { id: 4, status: 'viewable', error: 'The storage limit has been exceeded' },
      { id: 5 },
    ];
    const { activities, requests } = createScriptedApi(() => json(rows));
    const seen = await inActivity(() => activities.pollVideos({ ids: '1-6', awaited: 'viewable' }));

    expect(requests.map(({ url }) => url.searchParams.get('id'))).toEqual([
      '1,2,3,4,5,6',
      '1,2,3,4,5,6',
      '3',
    ]);
    expect(seen).toEqual({
      pending: '2 5',
      missing: '6',
      failed: [
        {
          class: 'origin-forbidden',
          text: 'Access to the origin is forbidden',
          ids: '3',
        },
      ],
      warned: [{ text: 'The storage limit has been exceeded', ids: '4' }],
    });
  });

  it('asks for 500 with each call', async () => {
    const { activities, requests } = createScriptedApi(({ url }) => {
      const ids = new URL(url).searchParams.get('id')?.split(',') ?? [];
      return json(ids.map((id) => ({ id: Number(id), status: id === '501' ? 'error' : 'ready' })));
    });
    const seen = await inActivity(() => activities.pollVideos({ ids: '1-501', awaited: 'ready' }));

    expect(requests.map(({ url }) => url.searchParams.get('id')?.split(',').length)).toEqual([
      500, 1, 1,
    ]);
    expect(seen).toMatchObject({ pending: '', missing: '', failed: [{ ids: '501' }] });
  });

  it('shows the chosen fields of the videos whose outcome is known', async () => {
    const rows = [
      { id: 1, status: 'ready', slug: 'aB3', client_id: 7 },
      { id: 2, status: 'pending' },
      { id: 3, status: 'error', slug: 'c' },
    ];
    const { activities } = createScriptedApi(() => json(rows));
    const show = { ids: '1-3', fields: ['slug', 'status'] } as const;
    const seen = await inActivity(() =>
      activities.pollVideos({ ids: '1-4', awaited: 'viewable', show }),
    );

    expect(seen.details).toEqual([
      { id: 1, slug: 'aB3', status: 'ready' },
      { id: 3, slug: 'c', status: 'error' },
    ]);
  });
});
