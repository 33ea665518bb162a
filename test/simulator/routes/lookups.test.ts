import { describe, expect, it } from '@jest/globals';

import { createSimulator, type SimulatorState } from '../../../src/simulator/index.js';
import { bootVolume, CREATE, createCloud } from '../../support/worlds/simulated-cloud.js';

const CHECK = '/cloud/v2/instances/1/1/check_limits';
const AVAILABLE = '/cloud/v1/instances/1/1/available_flavors';
const IMAGE = '/cloud/v1/images/1/1/f01fd9a0-9548-48ba-82dc-a8c8b2d6f2f1';

const ASKED = {
  flavor: 'g2-standard-2-4',
  names: ['web-1'],
  interfaces: [{ type: 'external' }],
  volumes: [bootVolume({ size: 20 })],
};

function cloudWith(change: Partial<SimulatorState>) {
  return createCloud({ state: { ...createSimulator().snapshot(), ...change } });
}

describe('check_limits', () => {
  it('is empty when the request exceeds no quota', async () => {
    const cloud = cloudWith({ quotas: { cpu_count: 2, volume_size: 20 } });

    expect(await cloud.send('POST', CHECK, ASKED)).toEqual({ status: 200, body: {} });
  });

  it('shows limit, request and usage of each exceeded quota', async () => {
    const cloud = cloudWith({ quotas: { cpu_count: 3, volume_size: 100, vm_count: 1 } });
    await cloud.createInstance();

    expect((await cloud.send('POST', CHECK, ASKED)).body).toEqual({
      cpu_count_limit: 3,
      cpu_count_requested: 2,
      cpu_count_usage: 2,
      vm_count_limit: 1,
      vm_count_requested: 1,
      vm_count_usage: 1,
    });
  });

  it('refuses an unknown flavor and unknown fields', async () => {
    const cloud = createCloud();

    const flavor = await cloud.send('POST', CHECK, { ...ASKED, flavor: 'huge' });
    const field = await cloud.send('POST', CHECK, { ...ASKED, password: 'x' });

    expect([flavor, field]).toMatchObject([
      { status: 400, body: { invalid_fields: { flavor: [expect.any(String)] } } },
      { status: 400, body: { invalid_fields: { password: [expect.any(String)] } } },
    ]);
  });
});

describe('the price of an instance', () => {
  it('grows with its flavor and its volumes, and changes nothing', async () => {
    const cloud = createCloud();
    const PRICE = '/cloud/v2/pricing/1/1/instances';
    const larger = { ...ASKED, flavor: 'g2-standard-4-8' };

    const answers = [
      await cloud.send('POST', PRICE, ASKED),
      await cloud.send('POST', PRICE, larger),
    ];

    expect(answers).toMatchObject([
      {
        status: 200,
        body: { currency_code: 'EUR', price_status: 'show', total_price_per_hour: '0.0440' },
      },
      { status: 200, body: { total_price_per_hour: '0.0840', total_price_per_month: '60.48' } },
    ]);
    expect(cloud.simulator.mutations()).toEqual([]);
  });
});

describe('a method that a path does not have', () => {
  it.each([
    ['PUT', IMAGE, { exception_class: 'MethodNotAllowedError' }],
    ['DELETE', '/storage/v4/ssh_keys', { error: 'Method DELETE is not allowed' }],
    ['PATCH', '/streaming/videos/batch', { status: 405 }],
  ])('is refused with 405: %s %s', async (method, path, body) => {
    expect(await createCloud().send(method, path)).toMatchObject({ status: 405, body });
  });
});

describe('available_flavors', () => {
  it('lists no flavor that is sold out or disabled', async () => {
    const cloud = cloudWith({ soldOutFlavors: ['g2-standard-2-4'] });

    const { body } = await cloud.send('POST', AVAILABLE, { volumes: [{ source: 'image' }] });

    expect(JSON.stringify(body)).toContain('g2-standard-4-8');
    expect(JSON.stringify(body)).not.toContain('g2-standard-2-4"');
    expect(JSON.stringify(body)).not.toContain('"disabled":true');
  });
});

describe('images, networks and subnets', () => {
  it.each([
    ['images', 3],
    ['networks', 2],
    ['subnets', 2],
  ])('%s are listed in each scope', async (name, count) => {
    const { body } = await createCloud().send('GET', `/cloud/v1/${name}/1/2?limit=1`);

    expect(body).toMatchObject({ count, results: [{ project_id: 1, region_id: 2 }] });
  });

  it('are not found in an unknown scope', async () => {
    const cloud = createCloud();

    const answers = [
      await cloud.send('GET', IMAGE),
      await cloud.send('GET', IMAGE.replace('f01f', '0000')),
      await cloud.send('GET', IMAGE.replace('/1/1/', '/1/99/')),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404]);
  });
});

describe('isMutation', () => {
  it('is true for every call except reads and the two checks', async () => {
    const cloud = createCloud();
    await cloud.send('GET', IMAGE);
    await cloud.send('POST', CHECK, ASKED);
    await cloud.send('POST', AVAILABLE, { volumes: [{ source: 'image' }] });
    await cloud.createInstance();

    expect(cloud.simulator.mutations()).toMatchObject([{ method: 'POST', path: CREATE }]);
  });
});
