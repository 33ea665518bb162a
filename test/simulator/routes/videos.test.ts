import { describe, expect, it } from '@jest/globals';

import { videoListSchema } from '../../../src/contract/api/streaming.js';
import { parseSimulatorState } from '../../../src/simulator/index.js';
import { createCloud } from '../../support/worlds/simulated-cloud.js';

const LIST = '/streaming/videos';
const MINUTE = 60_000;
const origin = (fate?: string) =>
  `https://files.example.test/a.mp4${fate === undefined ? '' : `?simulate=${fate}`}`;

type Cloud = ReturnType<typeof createCloud>;

function make(cloud: Cloud, videos: readonly object[]) {
  return cloud.send('POST', `${LIST}/batch`, { videos });
}

async function list(cloud: Cloud, query = '') {
  const { body } = await cloud.send('GET', LIST + query);
  return videoListSchema.parse(body);
}

const named = (...names: string[]) => names.map((name) => ({ name, origin_url: origin() }));

describe('a batch of videos', () => {
  it('gets a bare array as its answer and may repeat a name', async () => {
    const { status, body } = await make(createCloud(), named('a', 'a'));

    expect(status).toBe(200);
    expect(videoListSchema.parse(body)).toMatchObject([
      { id: 1, name: 'a', status: 'empty' },
      { id: 2, name: 'a', status: 'empty' },
    ]);
  });

  it('has at most 500 videos, and 64 MB', async () => {
    const cloud = createCloud();
    const many = Array.from({ length: 501 }, () => ({ name: 'a' }));
    const large = { name: 'a', description: 'x'.repeat(65 * 1024 ** 2) };

    expect(await make(cloud, many)).toEqual({
      status: 400,
      body: { status: 400, error: 'More than 500 videos' },
    });
    expect(await make(cloud, [large])).toMatchObject({ status: 413 });
    expect(cloud.simulator.inventory().videos).toEqual([]);
  });

  it('is refused with the field of a wrong video', async () => {
    const answer = await make(createCloud(), [{ name: 'a' }, { name: ' ' }]);

    expect(answer).toEqual({ status: 422, body: { errors: { name: ['must not be empty'] } } });
  });

  it('is created in part when a fault rule says so', async () => {
    const cloud = createCloud();
    cloud.simulator.faults.add({
      match: { method: 'POST' },
      action: { kind: 'partial-batch', items: 1 },
    });
    await make(cloud, named('a', 'b'));

    expect(cloud.simulator.inventory().videos).toMatchObject([{ name: 'a' }]);
  });
});

describe('a video', () => {
  it.each([
    [undefined, ['empty', null], ['ready', null]],
    ['not-found', ['empty', null], ['empty', 'The requested origin was not found']],
    ['forbidden', ['empty', null], ['empty', 'Access to the origin is forbidden']],
    ['broken', ['empty', null], ['error', 'Encoding has failed']],
    ['no-space', ['empty', null], ['viewable', 'The storage limit has been exceeded']],
  ])('with the fate %s starts as %j and ends as %j', async (fate, begins, ends) => {
    const cloud = createCloud();
    await make(cloud, [{ name: 'a', origin_url: origin(fate) }]);
    const status = async () => (await list(cloud)).map(({ status: s, error }) => [s, error]);

    expect(await status()).toEqual([begins]);
    cloud.advance(2 * MINUTE);
    expect(await status()).toEqual([ends]);
  });

  it('goes through pending and viewable', async () => {
    const cloud = createCloud();
    await make(cloud, named('a'));
    const seen = new Set<unknown>();
    for (let second = 0; second < 70; second++) {
      seen.add((await list(cloud))[0]?.status);
      cloud.advance(1_000);
    }

    expect([...seen]).toEqual(['empty', 'pending', 'viewable', 'ready']);
  });

  it('without an origin waits for its file', async () => {
    const cloud = createCloud();
    await make(cloud, [{ name: 'a' }]);
    cloud.advance(60 * MINUTE);

    expect(await list(cloud)).toMatchObject([{ status: 'empty', error: null }]);
  });

  it('can be read and removed, and survives a restart', async () => {
    const cloud = createCloud();
    await make(cloud, named('a', 'b'));
    const headers = { authorization: 'apikey simulator-key' };
    await cloud.simulator.fetch(`http://x${LIST}/1`, { method: 'DELETE', headers });
    const state = parseSimulatorState(JSON.parse(JSON.stringify(cloud.simulator.snapshot())));

    expect(await cloud.send('GET', `${LIST}/1`)).toMatchObject({
      status: 404,
      body: { status: 404 },
    });
    expect(await list(createCloud({ state }))).toMatchObject([{ id: 2, name: 'b' }]);
  });
});

describe('the list of videos', () => {
  it.each([
    ['?id=1,3', [3, 1]],
    ['?client_user_id=7', [2]],
    ['?search=beta', [3, 2]],
    ['?search=1', [1]],
    ['?status=empty', [3, 2, 1]],
    ['?status=ready', []],
    ['?per_page=2', [3, 2]],
    ['?per_page=2&page=2', [1]],
    ['?id=9', []],
  ])('filters and pages: %s', async (query, ids) => {
    const cloud = createCloud();
    const [alpha, beta, other] = named('alpha', 'beta', 'betamax');
    await make(cloud, [{ ...alpha }, { ...beta, client_user_id: 7 }, { ...other }]);

    expect((await list(cloud, query)).map(({ id }) => id)).toEqual(ids);
  });

  it('shows 25 by default and never more than 500', async () => {
    const cloud = createCloud();
    const videos = Array.from({ length: 300 }, () => ({ name: 'a' }));
    await make(cloud, videos);
    await make(cloud, videos);

    expect(await list(cloud)).toHaveLength(25);
    expect(await list(cloud, '?per_page=1000')).toHaveLength(500);
  });

  it('shows a video late when a fault rule says so', async () => {
    const cloud = createCloud();
    cloud.simulator.faults.add({
      match: { method: 'POST' },
      action: { kind: 'list-lag', ms: MINUTE },
    });
    await make(cloud, named('a'));

    expect(await list(cloud)).toEqual([]);
    cloud.advance(MINUTE);
    expect(await list(cloud)).toHaveLength(1);
  });

  it('has the requested share of failures', async () => {
    const cloud = createCloud({ videoFailureShare: 0.05 });
    for (let batch = 0; batch < 4; batch++) {
      await make(
        cloud,
        Array.from({ length: 500 }, () => ({ name: 'a', origin_url: origin() })),
      );
    }
    cloud.advance(2 * MINUTE);
    const failed = cloud.simulator.inventory().videos.filter(({ error }) => error !== null);

    expect(failed.length).toBeGreaterThan(60);
    expect(failed.length).toBeLessThan(140);
  });
});
