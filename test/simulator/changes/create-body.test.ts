import { describe, expect, it } from '@jest/globals';

import {
  bootVolume,
  CREATE,
  createCloud,
  instanceBody,
} from '../../support/worlds/simulated-cloud.js';

describe('the body of a create call', () => {
  it.each([
    ['an empty body', {}, ['flavor', 'interfaces', 'volumes']],
    [
      'an unknown interface',
      instanceBody({ interfaces: [{ type: 'wire' }] }),
      ['interfaces[0].type'],
    ],
    ['an unknown field', instanceBody({ color: 'red' }), ['color']],
    ['a short name', instanceBody({ name: 'a' }), ['name']],
    ['an unknown flavor', instanceBody({ flavor: 'g9-standard-2-4' }), ['flavor']],
    [
      'a bad tag of a volume',
      instanceBody({ volumes: [bootVolume({ tags: { 'a b': 'c' } })] }),
      ['volumes[0].tags.a b'],
    ],
    [
      'a marker that is too long for a tag',
      instanceBody({ tags: { 'workflow-request': 'x'.repeat(256) } }),
      ['tags.workflow-request'],
    ],
    ['a text', 'not an object', ['(input)']],
  ])('is refused with the path of every fault: %s', async (_case, body, paths) => {
    const cloud = createCloud();

    const answer = await cloud.send('POST', CREATE, body);

    const fields = Object.fromEntries(paths.map((path) => [path, expect.any(Array)]));
    expect(answer).toEqual({
      status: 400,
      body: {
        exception_class: 'ValidationError',
        message: expect.any(String),
        request_id: expect.any(String),
        invalid_fields: fields,
      },
    });
    expect(cloud.simulator.inventory()).toMatchObject({ instances: [], volumes: [], tasks: [] });
  });

  it('may have the marker tag, which the contract reserves for the worker', async () => {
    const cloud = createCloud();
    const marker = { 'workflow-request': 'default/provision-instance/default/order-1' };

    await cloud.createInstance({
      tags: { team: 'web', ...marker },
      volumes: [bootVolume({ tags: marker }), { source: 'new-volume', size: 1 }],
    });

    const { instances, volumes } = cloud.simulator.inventory();
    const tag = { key: 'workflow-request', value: marker['workflow-request'], read_only: false };
    expect(instances[0]?.tags).toEqual([{ key: 'team', value: 'web', read_only: false }, tag]);
    expect(volumes.map((volume) => volume.tags)).toEqual([[tag], []]);
  });

  it('is refused when it is not JSON', async () => {
    const cloud = createCloud();

    const response = await cloud.simulator.fetch(`https://api.simulator.test${CREATE}`, {
      method: 'POST',
      headers: { authorization: 'apikey simulator-key' },
      body: '{"flavor":',
    });

    expect(response.status).toBe(400);
  });
});
