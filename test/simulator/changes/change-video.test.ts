import { describe, expect, it } from '@jest/globals';

import { createCloud } from '../../support/worlds/simulated-cloud.js';
import {
  type Cloud,
  createVideo,
  originUrl,
  readVideo,
  videoAt,
  VIDEOS_PATH,
} from '../../support/worlds/streaming.js';

const ONE = `${VIDEOS_PATH}/1`;
const PICTURE = `data:image/webp;base64,${Buffer.from('a picture').toString('base64')}`;
const MEGABYTE = 1024 ** 2;
const pictureOf = (bytes: number) =>
  `data:image/png;base64,${Buffer.alloc(bytes).toString('base64')}`;

async function patch(cloud: Cloud, change: object) {
  return cloud.send('PATCH', ONE, { name: 'a', ...change });
}

describe('a change of a video', () => {
  it.each([
    ['name', 'b'],
    ['description', 'd'],
    ['description', null],
    ['client_user_id', 12],
    ['directory_id', 800],
    ['projection', 'vr180'],
    ['share_url', 'https://share.example'],
    ['custom_iframe_url', 'https://iframe.example'],
    ['screenshot_id', 2],
  ])('changes %s to %j and nothing else, and its time', async (field, value) => {
    const cloud = await createVideo({ description: 'before' });
    const before = await videoAt(cloud, 'ready');
    cloud.advance(5_000);

    const { status, body } = await patch(cloud, { [field]: value });

    const expected = {
      ...before,
      updated_at: new Date(cloud.now()).toISOString(),
      ...(field === 'screenshot_id' && { screenshot: before.screenshots[2] }),
      [field]: value,
    };
    expect({ status, body }).toEqual({ status: 200, body: expected });
    expect(await readVideo(cloud)).toEqual(expected);
  });

  it.each([
    ['quality_set_id', 7],
    ['priority', 3],
    ['clip_start_seconds', 4],
    ['origin_url', 'https://files.example.test/b.mp4'],
  ])('changes %s only before it is transcoded', async (field, value) => {
    const [early, late] = [await createVideo(), await createVideo()];
    const before = (await videoAt(late, 'viewable'))[field];

    expect((await patch(early, { [field]: value })).body).toMatchObject({ [field]: value });
    expect((await patch(late, { [field]: value })).body).toMatchObject({ [field]: before });
  });

  it('puts a poster in the place of a screenshot, and takes it away', async () => {
    const cloud = await createVideo({ poster: PICTURE });
    const [first] = (await videoAt(cloud, 'ready')).screenshots;
    const shown = async () => {
      const { poster, poster_thumb: thumb, screenshot } = await readVideo(cloud);
      return { poster, thumb, screenshot };
    };
    const poster = expect.stringMatching(/\/[\da-f]{32}\.webp$/);
    const thumb = expect.stringMatching(/\/thumb_[\da-f]{32}\.webp$/);

    expect(await shown()).toEqual({ poster, thumb, screenshot: first });
    await patch(cloud, { screenshot_id: -1 });
    expect(await shown()).toEqual({ poster, thumb, screenshot: poster });
    await patch(cloud, { remove_poster: true });
    expect(await shown()).toEqual({ poster: null, thumb: null, screenshot: first });
    await patch(cloud, { remote_poster_url: 'https://files.example.test/p', screenshot_id: -1 });
    expect((await shown()).screenshot).toMatch(/\.jpeg$/);
  });

  it('lets a video begin that has waited for its file', async () => {
    const cloud = await createVideo({ origin_url: null });
    cloud.advance(600_000);
    await patch(cloud, { description: 'still waits' });
    expect(await readVideo(cloud)).toMatchObject({ status: 'empty', origin_url: null });

    await patch(cloud, { origin_url: originUrl() });

    expect(await readVideo(cloud)).toMatchObject({ status: 'empty' });
    expect(await videoAt(cloud, 'ready')).toMatchObject({ origin_url: originUrl() });
  });

  it.each([
    [{ name: undefined }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ priority: 11 }, 'priority'],
    [{ projection: 'round' }, 'projection'],
    [{ screenshot_id: -2 }, 'screenshot_id'],
    [{ clip_duration_seconds: 3 }, 'clip_duration_seconds'],
    [{ poster: 'data:image/gif;base64,AAAA' }, 'poster'],
    [{ poster: 'data:image/png,AAAA' }, 'poster'],
    [{ poster: pictureOf(MEGABYTE + 1) }, 'poster'],
    [{ auto_transcribe_audio_language: 'german' }, 'auto_transcribe_audio_language'],
    [{ auto_translate_subtitles_language: 'eng, fre' }, 'auto_translate_subtitles_language'],
    [{ subtitles: [] }, 'subtitles'],
    [{ status: 'ready' }, 'status'],
  ])('is refused, as one video with it is: case %#', async (change, field) => {
    const cloud = await createVideo();
    const before = await readVideo(cloud);
    const refused = { status: 422, body: { errors: { [field]: [expect.any(String)] } } };

    expect(await patch(cloud, change)).toEqual(refused);
    const video = { name: 'a', ...change };
    expect(await cloud.send('POST', VIDEOS_PATH, { video })).toEqual(refused);
    expect(await readVideo(cloud)).toEqual(before);
    expect(cloud.simulator.inventory().videos).toHaveLength(1);
  });

  it.each([
    { poster: pictureOf(MEGABYTE) },
    { auto_transcribe_audio_language: 'ger', auto_translate_subtitles_language: 'eng,fre' },
    { clip_start_seconds: 1, clip_duration_seconds: 3 },
  ])('is accepted: case %#', async (change) => {
    expect(await patch(await createVideo(), change)).toMatchObject({ status: 200 });
  });

  it('needs a start only where the video has none', async () => {
    const cloud = await createVideo({ clip_start_seconds: 1 });

    expect(await patch(cloud, { clip_duration_seconds: 3 })).toMatchObject({ status: 200 });
    expect(await videoAt(cloud, 'ready')).toMatchObject({ duration: 3_000 });
  });
});

describe('the priority of a video', () => {
  /** Seconds until the video is ready. */
  async function secondsOf(create: object, change?: object): Promise<number> {
    const cloud = await createVideo(create);
    const beganAt = cloud.now();
    if (change !== undefined) await patch(cloud, change);
    await videoAt(cloud, 'ready');
    return (cloud.now() - beganAt) / 1_000;
  }

  it('decides how soon it is at its turn', async () => {
    const high = await secondsOf({ priority: 10 });
    const usual = await secondsOf({});
    const low = await secondsOf({ priority: -10 });

    expect(high).toBeLessThan(usual);
    expect(usual).toBeLessThan(low);
    expect(await secondsOf({}, { priority: 10 })).toBe(high);
  });

  it('never takes it back to an earlier status', async () => {
    const cloud = await createVideo();
    await videoAt(cloud, 'pending');

    expect((await patch(cloud, { priority: -10 })).body).toMatchObject({ status: 'pending' });
  });
});

describe('the other calls of a video', () => {
  it.each([
    [undefined, { id: 1 }],
    ['object', { id: 1 }],
    ['array', [{ id: 1 }]],
  ] as const)('create one and answer with its form: %s', async (createdVideo, body) => {
    const cloud = createCloud(createdVideo === undefined ? {} : { createdVideo });

    const answer = await cloud.send('POST', VIDEOS_PATH, { video: { name: 'a' } });

    expect(answer).toMatchObject({ status: 200, body });
    expect(Array.isArray(answer.body)).toBe(Array.isArray(body));
  });

  it.each([
    ['?ids=2,9,1', ['b', 'a']],
    ['?ids=2&ids=1', ['b', 'a']],
    ['?ids=1', ['a']],
    ['', []],
  ])('tell names: %s', async (query, names) => {
    const cloud = await createVideo();
    await cloud.send('POST', VIDEOS_PATH, { video: { name: 'b' } });

    expect((await cloud.send('GET', `${VIDEOS_PATH}/names${query}`)).body).toEqual(
      names.map((name) => ({ id: name === 'a' ? 1 : 2, name })),
    );
  });

  it('tell where to upload a file, each time with another token', async () => {
    const cloud = await createVideo({ origin_url: null });
    const uploads = [
      await cloud.send('GET', `${ONE}/upload`),
      await cloud.send('GET', `${ONE}/upload`),
    ];

    const expected = { servers: [{ id: 1, hostname: expect.any(String) }], video: { id: 1 } };
    expect(uploads).toMatchObject([{ body: expected }, { body: expected }]);
    expect(uploads[0]?.body).not.toEqual(uploads[1]?.body);
    expect(await cloud.send('GET', `${VIDEOS_PATH}/9/upload`)).toMatchObject({ status: 404 });
  });
});
