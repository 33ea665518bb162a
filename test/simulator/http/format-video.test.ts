import { describe, expect, it } from '@jest/globals';

import { createCloud } from '../../support/worlds/simulated-cloud.js';
import {
  createVideo,
  originUrl,
  readVideo,
  stateWithRecording,
  videoAt,
  VIDEOS_PATH,
} from '../../support/worlds/streaming.js';

const UNSEEN = {
  hls_url: null,
  hls_cmaf_url: null,
  dash_url: null,
  sprite: null,
  sprite_vtt: null,
  screenshots: [],
  duration: null,
  origin_size: null,
  origin_video_duration: null,
};
const FETCHED = {
  ...UNSEEN,
  duration: expect.any(Number),
  origin_size: expect.any(Number),
  origin_video_duration: expect.any(Number),
};
const SEEN = {
  ...FETCHED,
  hls_url: expect.stringMatching(/\/videos\/1_slug1\/master\.m3u8$/),
  hls_cmaf_url: expect.stringMatching(/\/videos\/1_slug1\/master-cmaf\.m3u8$/),
  dash_url: expect.stringMatching(/\/videos\/1_slug1\/master\.mpd$/),
  sprite: expect.stringMatching(/\.jpg$/),
  sprite_vtt: expect.stringMatching(/\.vtt$/),
  screenshots: { length: 5 },
};

/** A rendition has its size and its file when it is complete. */
function expectedOf<T extends { status: string; height: number }>(rendition: T) {
  const file = new RegExp(`/videos/1_slug1/qid7v1_h264_\\d+_${rendition.height}\\.mp4$`);
  return rendition.status === 'complete'
    ? {
        ...rendition,
        progress: 100,
        size: expect.any(Number),
        mp4_url: expect.stringMatching(file),
      }
    : { ...rendition, size: null, mp4_url: null };
}

describe('what is shown of a video', () => {
  it.each([
    { fate: undefined, status: 'empty', shown: UNSEEN, renditions: [] },
    { fate: undefined, status: 'pending', shown: FETCHED, renditions: ['processing'] },
    { fate: undefined, status: 'viewable', shown: SEEN, renditions: ['complete', 'processing'] },
    { fate: undefined, status: 'ready', shown: SEEN, renditions: ['complete'] },
    { fate: 'no-space', status: 'viewable', shown: SEEN, renditions: ['complete', 'error'] },
    { fate: 'broken', status: 'error', shown: FETCHED, renditions: ['error'] },
    { fate: 'not-found', status: 'empty', shown: UNSEEN, renditions: [] },
  ])('with the fate $fate while it is $status', async ({ fate, status, shown, renditions }) => {
    const cloud = await createVideo({ origin_url: originUrl(fate) });

    const video = await videoAt(cloud, status);

    const player = expect.stringMatching(/\/videos\/1_slug1$/);
    expect(video).toMatchObject({ ...shown, iframe_url: player });
    expect(video['screenshot']).toBe(video.screenshots[0] ?? null);
    const statuses = new Set(video.converted_videos.map((rendition) => rendition.status));
    expect([...statuses]).toEqual(renditions);
  });

  it('are its qualities one after the other, each with a file when it is complete', async () => {
    const cloud = await createVideo({ quality_set_id: 7 });
    const counts = new Set<number>();
    for (let second = 0; second < 70; second++) {
      const { converted_videos: renditions } = await readVideo(cloud);
      const complete = renditions.filter(({ progress }) => progress === 100);
      counts.add(complete.length);
      expect(renditions.slice(0, complete.length)).toEqual(complete);
      expect(renditions).toEqual(renditions.map(expectedOf));
      cloud.advance(1_000);
    }
    const { converted_videos: all } = await readVideo(cloud);

    expect([...counts]).toEqual(Array.from({ length: all.length + 1 }, (_, index) => index));
    expect(all.map(({ height }) => height)).toEqual([360, 480, 720, 1080, 2160]);
    expect(await readVideo(cloud)).toMatchObject({ origin_height: 2160 });
  });

  it.each([
    [{ clip_start_seconds: 2, clip_duration_seconds: 3 }, 3_000, 3],
    [{ clip_start_seconds: 0, clip_duration_seconds: 60 }, 60_000, 5],
    [{ clip_start_seconds: 100_000 }, 0, 0],
  ])(
    'is as long as the clip %j, with fewer pictures of a short one',
    async (clip, duration, pictures) => {
      const cloud = await createVideo(clip);

      const video = await videoAt(cloud, 'ready');

      expect(video).toMatchObject({ duration, ...clip });
      expect(video['origin_video_duration']).toBeGreaterThan(60_000);
      expect(video.screenshots).toHaveLength(pictures);
    },
  );

  it('has no link to its player and no storyboard in a list', async () => {
    const cloud = await createVideo();
    const { iframe_url, sprite, sprite_vtt, ...listed } = await videoAt(cloud, 'ready');

    expect([iframe_url, sprite, sprite_vtt]).not.toContain(undefined);
    expect(await cloud.send('GET', VIDEOS_PATH)).toMatchObject({ body: [listed] });
    expect((await cloud.send('GET', VIDEOS_PATH)).body).toEqual([listed]);
  });
});

describe('the recording of a stream', () => {
  const DAY = 24 * 60 * 60 * 1000;

  it('is new until its file is there, which is kept for seven days', async () => {
    const createdAt = createCloud().now();
    const cloud = createCloud({ state: stateWithRecording(createdAt) });
    const seen = async () => {
      const { status, origin_url: url } = await readVideo(cloud);
      return [status, url];
    };
    const file = expect.stringMatching(/\/videos\/1_live\/origin_\d+_720\.mp4$/);

    expect(await seen()).toEqual(['new', null]);
    cloud.advance(20_000);
    expect(await seen()).toEqual(['pending', file]);
    cloud.advance(7 * DAY - 1_000);
    expect(await seen()).toEqual(['ready', file]);
    cloud.advance(1_000);
    expect(await seen()).toEqual(['ready', null]);
  });

  it.each([
    [240, [240]],
    [720, [360, 480, 720]],
    [1080, [360, 480, 720, 1080]],
    [1440, [360, 480, 720, 1080]],
  ])('of %s lines has complete qualities of %j', async (height, heights) => {
    const cloud = createCloud({ state: stateWithRecording(createCloud().now(), height) });

    const { converted_videos: renditions } = await videoAt(cloud, 'ready');

    expect(renditions.map((rendition) => rendition.height)).toEqual(heights);
    expect(new Set(renditions.map(({ status }) => status))).toEqual(new Set(['complete']));
  });

  it('names its stream, by which it is found', async () => {
    const cloud = createCloud({ state: stateWithRecording(createCloud().now()) });

    expect((await cloud.send('GET', `${VIDEOS_PATH}?stream_id=5`)).body).toMatchObject([
      { stream_id: 5, record_type: 'origin', recording_started_at: '2026-05-23T04:07:31.000Z' },
    ]);
    expect((await cloud.send('GET', `${VIDEOS_PATH}?stream_id=6`)).body).toEqual([]);
  });
});

describe('the fields of an answer', () => {
  it.each([
    ['GET', '?fields=id,stream_id', [{ id: 1, stream_id: null }]],
    ['GET', '?fields=priority', [{ priority: 0 }]],
    ['POST', '?fields=id,name,status', [{ id: 2, name: 'b', status: 'empty' }]],
    [
      'POST',
      '?fields=duration,hls_url,screenshots,converted_videos',
      [{ duration: null, hls_url: null, screenshots: [], converted_videos: [] }],
    ],
  ])('are those that a %s names: %s', async (method, query, body) => {
    const cloud = await createVideo();
    const path = method === 'GET' ? VIDEOS_PATH : `${VIDEOS_PATH}/batch`;
    const sent = method === 'GET' ? undefined : { videos: [{ name: 'b' }] };

    expect(await cloud.send(method, path + query, sent)).toEqual({ status: 200, body });
  });

  it.each([
    ['GET', 'error'],
    ['GET', 'client_user_id'],
    ['POST', 'stream_id'],
  ])('cannot have in a %s: %s, which is refused or ignored', async (method, field) => {
    const path = `${method === 'GET' ? VIDEOS_PATH : `${VIDEOS_PATH}/batch`}?fields=id,${field}`;
    const sent = method === 'GET' ? undefined : { videos: [{ name: 'b' }] };

    const strict = await createVideo();
    expect(await strict.send(method, path, sent)).toMatchObject({ status: 400 });
    expect(strict.simulator.inventory().videos).toHaveLength(1);
    const lenient = await createVideo({}, { unknownFields: 'ignored' });
    expect((await lenient.send(method, path, sent)).body).toEqual([{ id: expect.any(Number) }]);
  });
});
