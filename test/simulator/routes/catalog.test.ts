import { describe, expect, it } from '@jest/globals';

import { createCloud } from '../../support/worlds/simulated-cloud.js';

async function get(path: string) {
  return (await createCloud().send('GET', path)).body;
}

describe('the list of regions', () => {
  it.each([
    ['', [1, 2, 76]],
    ['?limit=1&offset=1', [2]],
    ['?order_by=display_name.asc', [2, 1, 76]],
    ['?order_by=created_at.desc', [76, 2, 1]],
    ['?display_name=FRANKFURT', [2]],
    ['?display_name=Frank', []],
    ['?product=containers', [1, 2]],
    ['?product=inference', [1]],
  ])('answers %j', async (query, ids) => {
    const results = ids.map((id) => expect.objectContaining({ id }));

    expect(await get(`/cloud/v1/regions${query}`)).toMatchObject({ results });
  });

  it('shows the types of volumes on demand, as a single region does', async () => {
    const types = { available_volume_types: expect.arrayContaining(['standard']) };

    expect(await get('/cloud/v1/regions/1')).toMatchObject({ available_volume_types: null });
    expect(await get('/cloud/v1/regions/1?show_volume_types=true')).toMatchObject(types);
    expect(await get('/cloud/v1/regions?show_volume_types=true')).toMatchObject({
      results: [types, types, types],
    });
    expect(await get('/cloud/v1/regions/9')).toMatchObject({ exception_class: 'NotFoundError' });
  });
});

describe('the list of flavors', () => {
  const FLAVORS = '/cloud/v1/flavors/1/1';

  it.each([
    ['', 8],
    ['?disabled=false', 7],
    ['?exclude_windows=true', 7],
    ['?exclude_linux=true', 1],
    ['?exclude_linux=true&exclude_windows=true', 0],
  ])('answers %j with %i', async (query, count) => {
    expect(await get(FLAVORS + query)).toMatchObject({ count });
  });

  it('has prices on demand', async () => {
    const plain = await get(`${FLAVORS}?limit=1&offset=2`);
    const priced = await get(`${FLAVORS}?limit=1&offset=2&include_prices=true`);

    expect(plain).toEqual({
      count: 8,
      results: [
        {
          flavor_id: 'g2-standard-2-4',
          flavor_name: 'g2-standard-2-4',
          vcpus: 2,
          ram: 4096,
          os_type: 'linux',
          architecture: 'x86_64',
          disabled: false,
          hardware_description: { vcpus: '2 vCPU', ram: '4 GiB' },
        },
      ],
    });
    expect(priced).toMatchObject({
      results: [
        { currency_code: 'EUR', price_per_hour: 0.04, price_per_month: 28.8, price_status: 'show' },
      ],
    });
  });
});
