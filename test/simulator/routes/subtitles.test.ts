import { describe, expect, it } from '@jest/globals';

import { createCloud } from '../../support/worlds/simulated-cloud.js';
import { createVideo, VIDEOS_PATH, WEBVTT } from '../../support/worlds/streaming.js';

const LIST = `${VIDEOS_PATH}/1/subtitles`;
const SRT = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';
const english = { name: 'English', language: 'eng', vtt: WEBVTT };
const german = { language: 'ger', vtt: SRT };

describe('the subtitles of a video', () => {
  it('come with a batch, and may have the same language', async () => {
    const cloud = await createVideo({ subtitles: [english, german, german] });

    expect(await cloud.send('GET', LIST)).toEqual({
      status: 200,
      body: [
        { id: expect.any(Number), ...english },
        { id: expect.any(Number), name: null, ...german },
        { id: expect.any(Number), name: null, ...german },
      ],
    });
  });

  it('are added, shown, changed in part and removed', async () => {
    const cloud = await createVideo();

    const made = await cloud.send('POST', LIST, english);
    const shown = await cloud.send('GET', `${LIST}/2`);
    const changed = await cloud.send('PATCH', `${LIST}/2`, { vtt: SRT });

    expect(made).toEqual({ status: 200, body: { id: 2, ...english } });
    expect(shown).toEqual(made);
    expect(changed).toEqual({ status: 200, body: { ...english, vtt: SRT } });
    expect(await cloud.send('GET', LIST)).toMatchObject({ body: [{ id: 2, vtt: SRT }] });
    expect(await cloud.send('DELETE', `${LIST}/2`)).toEqual({ status: 204, body: undefined });
    expect(await cloud.send('GET', `${LIST}/2`)).toMatchObject({ status: 404 });
    expect(await cloud.send('GET', LIST)).toMatchObject({ body: [] });
  });

  it('belong to their video: others do not show them, and they go with it', async () => {
    const cloud = await createVideo({ subtitles: [english] });
    await cloud.send('POST', VIDEOS_PATH, { video: { name: 'other' } });

    expect(await cloud.send('GET', `${VIDEOS_PATH}/3/subtitles`)).toMatchObject({ body: [] });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const path = `${VIDEOS_PATH}/3/subtitles/2`;
      expect(await cloud.send(method, path, method === 'PATCH' ? {} : undefined)).toMatchObject({
        status: 404,
      });
    }
    const restored = createCloud({ state: cloud.simulator.snapshot() });
    expect(await restored.send('GET', LIST)).toMatchObject({ body: [english] });
    await cloud.send('DELETE', `${VIDEOS_PATH}/1`);
    expect(cloud.simulator.snapshot().subtitles).toEqual([]);
  });

  it.each([
    [{ vtt: undefined }, 'vtt'],
    [{ vtt: '' }, 'vtt'],
    [{ vtt: 'Hello' }, 'vtt'],
    [{ vtt: 'WEBVTTHello' }, 'vtt'],
    [{ vtt: '1 Hello' }, 'vtt'],
    [{ vtt: `WEBVTT\n${'x'.repeat(5 * 1024 ** 2)}` }, 'vtt'],
    [{ language: undefined }, 'language'],
    [{ language: 'en' }, 'language'],
    [{ format: 'srt' }, 'format'],
  ])('are refused, and so is a batch with them: case %#', async (change, field) => {
    const cloud = await createVideo({ subtitles: [english] });
    const wrong = { ...english, ...change };
    const errorsAt = (path: string) => ({
      status: 422,
      body: { errors: { [path]: expect.anything() } },
    });

    expect(await cloud.send('POST', LIST, wrong)).toEqual(errorsAt(field));
    const videos = [{ name: 'b', subtitles: [wrong] }];
    expect(await cloud.send('POST', `${VIDEOS_PATH}/batch`, { videos })).toEqual(
      errorsAt(`subtitles[0].${field}`),
    );
    expect((await cloud.send('GET', LIST)).body).toHaveLength(1);
    expect(cloud.simulator.inventory().videos).toHaveLength(1);
  });

  it.each(['\uFEFFWEBVTT', 'WEBVTT - a title\n', '\n12\r\n00:00:01,000 --> 00:00:02,000\r\nHi'])(
    'are accepted: %j',
    async (vtt) => {
      const cloud = await createVideo();

      expect(await cloud.send('POST', LIST, { ...english, vtt })).toMatchObject({ body: { vtt } });
    },
  );
});
