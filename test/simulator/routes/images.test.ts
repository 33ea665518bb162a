import { describe, expect, it } from '@jest/globals';

import { bootVolume, createCloud, tagQuery, TASKS } from '../../support/worlds/simulated-cloud.js';

const IMAGES = '/cloud/v1/images/1/1';
const UPLOADS = '/cloud/v1/downloadimage/1/1';
const UPLOAD = { name: 'Cirros', url: 'https://images.example/cirros.img' };

type Cloud = ReturnType<typeof createCloud>;

/** Uploads an image, and waits until it can be used. */
async function uploadImage(cloud: Cloud, change: Record<string, unknown> = {}): Promise<string> {
  await cloud.start('POST', UPLOADS, { ...UPLOAD, ...change });
  cloud.settle();
  cloud.settle();
  return cloud.simulator.inventory().images.at(-1)?.id ?? '';
}

describe('an image', () => {
  it('is uploaded by a task that ends before the image can be used', async () => {
    const cloud = createCloud({ timeScale: 0.1 });
    const taskId = await cloud.start('POST', UPLOADS, { ...UPLOAD, cow_format: true });
    const { id = '' } = cloud.simulator.inventory().images[0] ?? {};
    const taskEnd = cloud.simulator.snapshot().tasks[0]?.endsAt ?? 0;
    const read = async () => (await cloud.send('GET', `${IMAGES}/${id}`)).body;

    const queued = await read();
    cloud.advance(taskEnd - cloud.now());
    const saving = await read();
    const task = await cloud.send('GET', `${TASKS}/${taskId}`);
    cloud.advance(2_000);

    expect(queued).toMatchObject({ status: 'queued', size: 0, task_id: taskId });
    expect(saving).toMatchObject({ status: 'saving', size: 0, task_id: null });
    expect(task.body).toMatchObject({
      task_type: 'download_image',
      state: 'FINISHED',
      created_resources: { images: [id] },
    });
    expect(await read()).toMatchObject({
      status: 'active',
      size: 5 * 1024 ** 3,
      visibility: 'private',
      disk_format: 'raw',
      os_type: 'linux',
      ssh_key: 'allow',
    });
  });

  it('is made from a volume that boots, with its size', async () => {
    const cloud = createCloud();
    const { volumes } = await cloud.createInstance({
      volumes: [bootVolume({ size: 12 }), { source: 'new-volume', size: 3 }],
    });
    const [boot = { id: '' }, data = { id: '' }] = volumes;

    const taskId = await cloud.start('POST', IMAGES, { name: 'golden', volume_id: boot.id });
    const refused = [
      await cloud.send('POST', IMAGES, { name: 'golden', volume_id: data.id }),
      await cloud.send('POST', IMAGES, { name: 'golden', volume_id: 'none' }),
    ];
    cloud.settle();

    expect(refused).toMatchObject([
      { status: 400, body: { invalid_fields: { volume_id: [expect.any(String)] } } },
      { status: 404 },
    ]);
    expect(cloud.simulator.inventory().images).toMatchObject([
      { name: 'golden', min_disk: 12, status: 'active', creator_task_id: taskId },
    ]);
  });

  it('is patched immediately, and deleted by a task; what is in stock is neither', async () => {
    const cloud = createCloud();
    const id = await uploadImage(cloud, { tags: { env: 'dev' } });
    const change = { name: 'renamed', os_type: 'windows', hw_firmware_type: 'uefi' };

    const patched = await cloud.send('PATCH', `${IMAGES}/${id}`, {
      ...change,
      tags: { env: null, team: 'a' },
    });
    await cloud.start('DELETE', `${IMAGES}/${id}`);
    const locked = await cloud.send('PATCH', `${IMAGES}/${id}`, change);
    cloud.settle();
    const stock = `${IMAGES}/f01fd9a0-9548-48ba-82dc-a8c8b2d6f2f1`;
    const refused = [await cloud.send('PATCH', stock, change), await cloud.send('DELETE', stock)];

    expect(patched.body).toMatchObject({ ...change, tags_v2: [{ key: 'team', value: 'a' }] });
    expect(locked.status).toBe(409);
    expect((await cloud.send('GET', `${IMAGES}/${id}`)).status).toBe(404);
    expect(refused).toMatchObject([{ status: 409 }, { status: 409 }]);
  });
});

describe('the list of images', () => {
  const STOCK = ['ubuntu-24.04-x64', 'windows-server-2022', 'debian-12-x64'];

  it.each([
    ['', [...STOCK, 'Cirros', 'Arm']],
    ['?visibility=public', STOCK],
    ['?visibility=private', ['Cirros', 'Arm']],
    ['?visibility=shared', []],
    ['?private=no', ['Cirros', 'Arm']],
    ['?name=CIRR', ['Cirros']],
    ['?os_distro=Ubuntu', ['ubuntu-24.04-x64']],
    ['?os_version=12', ['debian-12-x64']],
    ['?os_version=1', []],
    ['?architecture=aarch64', ['Arm']],
    ['?tag_key=env', ['Cirros']],
    [tagQuery({ env: 'dev' }), ['Cirros']],
    ['?limit=1&offset=3', ['Cirros']],
  ])('answers %j', async (query, names) => {
    const cloud = createCloud();
    await uploadImage(cloud, { tags: { env: 'dev' } });
    await uploadImage(cloud, { name: 'Arm', architecture: 'aarch64' });

    expect((await cloud.send('GET', IMAGES + query)).body).toMatchObject({
      results: names.map((name) => ({ name })),
    });
  });

  it('has prices on demand: of what is in stock none, of others by their size', async () => {
    const cloud = createCloud();
    const id = await uploadImage(cloud);

    const { body } = await cloud.send('GET', `${IMAGES}?include_prices=true&limit=1`);
    const one = await cloud.send('GET', `${IMAGES}/${id}?include_prices=true`);
    const plain = await cloud.send('GET', `${IMAGES}/${id}`);

    expect(body).toMatchObject({ results: [{ price_per_hour: 0, price_status: 'show' }] });
    expect(one.body).toMatchObject({ price_per_hour: 0.001, currency_code: 'EUR' });
    expect(plain.body).not.toHaveProperty('price_per_hour');
  });
});
