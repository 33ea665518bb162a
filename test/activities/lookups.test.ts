import { describe, expect, it } from '@jest/globals';

import { failureIn, inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const PLACE = { projectId: 1, regionId: 2 };
const WANTED = { ...PLACE, id: 'x-1' };

describe('lookups', () => {
  it.each([
    [
      'getImage',
      '/cloud/v1/images/1/2/x-1',
      { id: 'x-1', name: 'ubuntu', os_type: 'linux', min_disk: 10, min_ram: 512 },
      { name: 'ubuntu', osType: 'linux', minDisk: 10, minRam: 512 },
    ],
    [
      'getImage',
      '/cloud/v1/images/1/2/x-1',
      { id: 'x-1', name: 'odd', os_type: null },
      { name: 'odd' },
    ],
    [
      'listTemplateParameters',
      '/cloud/v1/apptemplates/1/2/x-1',
      {
        app_config: [
          { name: 'password', required: true },
          { name: 'title', required: true, default: '' },
          { name: 'size', required: false },
        ],
      },
      [
        { name: 'password', isNeeded: true },
        { name: 'title', isNeeded: false },
        { name: 'size', isNeeded: false },
      ],
    ],
    ['listTemplateParameters', '/cloud/v1/apptemplates/1/2/x-1', { app_config: null }, []],
    [
      'getNetwork',
      '/cloud/v1/networks/1/2/x-1',
      { id: 'x-1', name: 'private' },
      { name: 'private' },
    ],
    [
      'getSubnet',
      '/cloud/v1/subnets/1/2/x-1',
      { id: 'x-1', name: 'a', network_id: 'n-1' },
      { networkId: 'n-1' },
    ],
    [
      'getVolume',
      '/cloud/v1/volumes/1/2/x-1',
      { id: 'x-1', status: 'in-use' },
      { id: 'x-1', status: 'in-use' },
    ],
    [
      'getFloatingIp',
      '/cloud/v1/floatingips/1/2/x-1',
      { id: 'x-1', port_id: 'p' },
      { id: 'x-1', portId: 'p' },
    ],
  ] as const)('%s: GET %s', async (...[name, path, body, view]) => {
    const { activities, requests } = createScriptedApi(() => json(body));

    expect(await inActivity<unknown>(() => activities[name](WANTED))).toEqual(view);
    expect(requests).toMatchObject([{ method: 'GET', url: { pathname: path } }]);
  });

  it('read a floating IP twice that shows no place, and believe the second answer', async () => {
    const answers = [{ id: 'x-1' }, { id: 'x-1', port_id: 'p' }];
    const { activities, requests } = createScriptedApi(() => json(answers.shift()));

    const seen = await inActivity(() => activities.getFloatingIp(WANTED));

    expect(seen).toEqual({ id: 'x-1', portId: 'p' });
    expect(requests).toHaveLength(2);
  });

  it('fail as NotFound when the resource does not exist', async () => {
    const { activities } = createScriptedApi(() => json({}, 404));

    expect((await failureIn(() => activities.getImage(WANTED))).type).toBe('NotFound');
  });
});

describe('checks that are POSTs', () => {
  const instance = {
    flavor: 'g2-standard-2-4',
    interfaces: [{ type: 'external' as const }],
    volumes: [
      {
        source: 'new-volume' as const,
        size: 5,
        tags: { team: 'x' },
        delete_on_termination: true,
      },
    ],
  };

  it('send the requested instance, with its name or its template', async () => {
    const { activities, requests } = createScriptedApi(() => json({}));
    for (const named of [{ name: 'web' }, { name_template: 'web-{ip_octets}' }, {}]) {
      await inActivity(() =>
        activities.checkLimits({ ...PLACE, instance: { ...instance, ...named } }),
      );
    }

    expect(requests.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual(
      Array.from({ length: 3 }, () => 'POST /cloud/v2/instances/1/2/check_limits'),
    );
    expect(requests.map(({ body }) => body)).toMatchObject([
      { names: ['web'] },
      { name_templates: ['web-{ip_octets}'] },
      { names: ['instance'] },
    ]);
  });

  it.each([
    ['none', {}, []],
    [
      'one',
      { vm_count_limit: 1, vm_count_requested: 1, vm_count_usage: 1 },
      [{ quota: 'vm_count', limit: 1, requested: 1, usage: 1 }],
    ],
    ['one that is sufficient', { ram_limit: 9, ram_requested: 1, ram_usage: 1 }, []],
    [
      'one with missing fields',
      { ram_limit: 9, ram_requested: null },
      [{ quota: 'ram', limit: 9 }],
    ],
  ])('return the quotas that would be exceeded: %s', async (_, body, exceeded) => {
    const { activities } = createScriptedApi(() => json(body));

    expect(await inActivity(() => activities.checkLimits({ ...PLACE, instance }))).toEqual(
      exceeded,
    );
  });

  const PRICE = {
    price_status: 'show',
    currency_code: 'EUR',
    total_price_per_hour: '1.02',
    total_price_per_month: 734.4,
  };

  it.each([
    ['texts and numbers', PRICE, { perHour: 1.02, perMonth: 734.4, currency: 'EUR' }],
    ['hidden', { ...PRICE, price_status: 'hide' }, undefined],
    ['without a currency', { ...PRICE, currency_code: null }, undefined],
    ['an amount that is none', { ...PRICE, total_price_per_hour: '1e400' }, undefined],
    ['nothing', {}, undefined],
  ])('return the price where the API shows one: %s', async (_, body, price) => {
    const { activities, requests } = createScriptedApi(() => json(body));

    expect(await inActivity(() => activities.priceInstance({ ...PLACE, instance }))).toEqual(price);
    expect(requests).toMatchObject([
      { method: 'POST', url: { pathname: '/cloud/v2/pricing/1/2/instances' } },
    ]);
  });

  it('send only the documented fields of a volume', async () => {
    const flavor = { flavor_name: 'x', vcpus: 1, ram: 1 };
    const results = [
      { ...flavor, flavor_id: 'a' },
      { ...flavor, flavor_id: 'b', disabled: true },
    ];
    const { activities, requests } = createScriptedApi(() => json({ count: 2, results }));

    const { volumes } = instance;
    const found = await inActivity(() => activities.listAvailableFlavors({ ...PLACE, volumes }));

    expect(found).toEqual(['a']);
    expect(requests).toMatchObject([
      { method: 'POST', url: { pathname: '/cloud/v1/instances/1/2/available_flavors' } },
    ]);
    expect(requests[0]?.body).toEqual({ volumes: [{ source: 'new-volume', size: 5 }] });
  });
});
