import { describe, expect, it } from '@jest/globals';

import { subtitleDigest } from '../../src/activities/subtitles.js';
import { failureIn, inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const VIDEO = { id: 7, name: 'Interview 7', description: null, directory_id: null };
const ONE = '/streaming/videos/7';

describe('updateVideo', () => {
  const update = async (shown: string, change: object) => {
    const { activities, requests } = createScriptedApi(() => json({ ...VIDEO, name: shown }));
    const { nameDigest: seenName } = await inActivity(() =>
      createScriptedApi(() => json(VIDEO)).activities.compareVideo({ videoId: 7, change }),
    );
    return { act: () => activities.updateVideo({ videoId: 7, change, seenName }), requests };
  };

  it.each([
    [{ name: 'Interview 8' }, { name: 'Interview 8' }],
    [{ description: 'The final cut' }, { name: 'Interview 7', description: 'The final cut' }],
    [{ description: '' }, { name: 'Interview 7', description: '' }],
    [{ directoryId: 200 }, { name: 'Interview 7', directory_id: 200 }],
    [{ screenshotId: -1 }, { name: 'Interview 7', screenshot_id: -1 }],
  ])('sends %j as %j', async (change, body) => {
    const { act, requests } = await update('Interview 7', change);

    await inActivity(act);

    expect(requests[1]?.body).toEqual(body);
  });

  it('sends what is asked, and the name that the video has', async () => {
    const { act, requests } = await update('Interview 7', { directoryId: 200 });

    await inActivity(act);

    expect(requests.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      `GET ${ONE}`,
      `PATCH ${ONE}`,
    ]);
    expect(requests[1]?.body).toEqual({ name: 'Interview 7', directory_id: 200 });
  });

  it.each([{ directoryId: 200 }, { name: 'Interview 8' }])(
    'sends nothing when somebody has renamed the video since: %j',
    async (change) => {
      const { act, requests } = await update('Interview 7, final', change);

      const failure = await failureIn(act);

      expect(failure).toMatchObject({ type: 'ServiceUnavailable', nonRetryable: true });
      expect(failure.message).toMatch(/^Not sent: somebody has renamed video 7/);
      expect(requests.map(({ method }) => method)).toEqual(['GET']);
    },
  );
});

describe('compareVideo', () => {
  const compare = (shown: object, change: object) =>
    inActivity(() =>
      createScriptedApi(() => json({ ...VIDEO, ...shown })).activities.compareVideo({
        videoId: 7,
        change,
      }),
    );

  it.each([
    ['the asked fields only', { screenshot_id: 3 }, { name: 'Interview 7' }],
    ['no description as an empty one', {}, { description: '' }],
  ])('finds nothing to do: %s', async (_what, shown, change) => {
    expect(await compare(shown, change)).toMatchObject({ differs: [], remains: [] });
  });

  it('tells another form of a text from another text', async () => {
    const change = { name: ' Cafe\u0301 🎬', description: ' Cafe\u0301 ', screenshotId: -1 };
    const shown = { name: 'Caf\u00e9', description: 'Caf\u00e9', screenshot_id: 0 };

    expect(await compare(shown, change)).toMatchObject({
      differs: ['name', 'description', 'screenshotId'],
      remains: ['name', 'screenshotId'],
    });
  });

  it('compares the whole of a long text, and shows a part', async () => {
    const description = 'x'.repeat(9_999);
    const shown = `${description}${'y'.repeat(90_000)}`;

    const compared = await compare({ description: shown }, { description });

    expect(compared.differs).toEqual(['description']);
    expect(JSON.stringify(compared).length).toBeLessThan(11_000);
  });
});

describe('findSubtitles', () => {
  const vtt = 'WEBVTT\n\n00:01.000 --> 00:04.000\nGood evening.\n';
  const wanted = { videoId: 7, name: 'English', language: 'eng', digest: subtitleDigest(vtt) };
  const find = (rows: readonly object[]) => {
    const { activities, requests } = createScriptedApi(({ url }) =>
      json(url.endsWith('/subtitles') ? rows : { ...rows[0], vtt }),
    );
    return { act: () => activities.findSubtitles(wanted), requests };
  };

  it('tells subtitles apart by their language, their name and the digest of their text', async () => {
    const row = { name: 'English', language: 'eng', vtt };
    const { act } = find([
      { ...row, id: 1, language: 'fre' },
      { ...row, id: 2, name: 'Commentary' },
      { ...row, id: 3, vtt: 'WEBVTT\n' },
      { ...row, id: 4, name: 'English!' },
      { ...row, id: 5, name: 'English!', vtt: 'WEBVTT\n' },
      { ...row, id: 6, name: ' English', vtt: `\uFEFF${vtt.replaceAll('\n', '\r\n')}\n` },
      { id: 7 },
    ]);

    const { subtitles } = await inActivity(act);

    expect(subtitles).toEqual([
      { id: 6, name: ' English', fit: 'as asked' },
      { id: 3, name: 'English', fit: 'other' },
      { id: 4, name: 'English!', fit: 'similar' },
    ]);
  });

  it('reads the text by itself where the list shows none', async () => {
    const { act, requests } = find([{ id: 9, name: 'English', language: 'eng' }]);

    expect(await inActivity(act)).toMatchObject({ subtitles: [{ id: 9, fit: 'as asked' }] });
    expect(requests.map(({ url }) => url.pathname)).toEqual([
      `${ONE}/subtitles`,
      `${ONE}/subtitles/9`,
    ]);
  });

  it.each([
    ['name', { language: 'eng', vtt }],
    ['language', { name: 'English', vtt }],
  ])('count as those that may be meant when no answer has their %s', async (_, shown) => {
    const { act } = find([{ id: 9, ...shown }]);

    expect(await inActivity(act)).toMatchObject({ subtitles: [{ id: 9, fit: 'similar' }] });
  });

  it('passes over subtitles that somebody has deleted since the list was read', async () => {
    const listed = { name: 'English', language: 'eng' };
    const { activities } = createScriptedApi(({ url }) => {
      if (url.endsWith('/9')) return json({ error: 'Not found' }, 404);
      return json(
        url.endsWith('/8') ? { ...listed, id: 8, vtt } : [9, 8].map((id) => ({ ...listed, id })),
      );
    });

    expect(await inActivity(() => activities.findSubtitles(wanted))).toMatchObject({
      subtitles: [{ id: 8, fit: 'as asked' }],
    });
  });
});
