import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { parseSimulatorState } from '../../../src/simulator/index.js';
import { PUBLIC_KEY } from '../../support/worlds/ssh-keys.js';
import { CREATE, createCloud, instanceBody, TASKS } from '../../support/worlds/simulated-cloud.js';

const PROJECTS = '/cloud/v1/projects';

async function withProject() {
  const cloud = createCloud();
  const { body } = await cloud.send('POST', PROJECTS, { name: 'crew', description: 'for tests' });
  const { id } = z.object({ id: z.number() }).parse(body);
  return { cloud, id, path: `${PROJECTS}/${id}` };
}

describe('a project', () => {
  it('has a name of its own, and can be renamed', async () => {
    const { cloud, path } = await withProject();

    const taken = [
      await cloud.send('POST', PROJECTS, { name: 'Default' }),
      await cloud.send('PATCH', path, { name: 'Staging' }),
    ];
    const renamed = await cloud.send('PATCH', path, { name: 'lab' });

    expect(taken).toMatchObject([{ status: 409 }, { status: 409 }]);
    expect(renamed.body).toMatchObject({ name: 'lab', description: 'for tests', task_id: null });
  });

  it('is deleted by a task, with all that it has in every region', async () => {
    const { cloud, id, path } = await withProject();
    await cloud.send('POST', `/cloud/v2/instances/${id}/1`, instanceBody());
    await cloud.send('POST', `/cloud/v1/networks/${id}/76`, { name: 'office' });
    await cloud.send('POST', `/cloud/v1/ssh_keys/${id}`, { name: 'a', public_key: PUBLIC_KEY });
    await cloud.createInstance();

    const taskId = await cloud.start('DELETE', path);
    const during = {
      read: await cloud.send('GET', `/cloud/v1/networks/${id}/76`),
      write: await cloud.send('POST', `/cloud/v1/networks/${id}/76`, { name: 'late' }),
      again: await cloud.send('DELETE', path),
    };
    cloud.settle();

    expect(during).toMatchObject({
      read: { status: 200 },
      write: { status: 409 },
      again: { status: 409 },
    });
    expect(cloud.simulator.inventory()).toMatchObject({
      instances: [{ project_id: 1 }],
      volumes: [{ project_id: 1 }],
      networks: [],
      cloudSshKeys: [],
    });
    expect((await cloud.send('GET', `/cloud/v1/networks/${id}/76`)).status).toBe(404);
    expect((await cloud.send('GET', PROJECTS)).body).toMatchObject({ count: 2 });
    expect((await cloud.send('GET', `${PROJECTS}?include_deleted=true&name=crew`)).body).toEqual({
      count: 1,
      results: [
        expect.objectContaining({
          state: 'DELETED',
          deleted_at: expect.any(String),
          task_id: null,
        }),
      ],
    });
    expect((await cloud.send('GET', `${TASKS}/${taskId}`)).body).toMatchObject({
      task_type: 'delete_project',
      region_id: null,
    });
  });

  it('stays while a task in it runs, after a failed deletion, and when it is the default one', async () => {
    const { cloud, id, path } = await withProject();
    await cloud.send('POST', CREATE.replace('/1/1', `/${id}/1`), instanceBody());
    const busy = await cloud.send('DELETE', path);
    cloud.settle();
    cloud.simulator.faults.add({ match: {}, action: { kind: 'task-error', error: 'no' } });
    await cloud.start('DELETE', path);
    cloud.settle();

    expect(busy.status).toBe(409);
    expect((await cloud.send('GET', path)).body).toMatchObject({ state: 'ACTIVE', task_id: null });
    expect(cloud.simulator.inventory().instances).toHaveLength(1);
    expect((await cloud.send('DELETE', `${PROJECTS}/1`)).status).toBe(409);
  });

  it('is listed in the order that the query names', async () => {
    const { cloud } = await withProject();
    const list = async (query: string) => (await cloud.send('GET', PROJECTS + query)).body;

    expect(await list('?order_by=name.desc')).toMatchObject({
      results: [{ name: 'crew' }, { name: 'Staging' }, { name: 'Default' }],
    });
    expect(await list('?order_by=created_at.desc&limit=1')).toMatchObject({
      count: 3,
      results: [{ name: 'crew' }],
    });
  });
});

describe('a project that is not there', () => {
  it.each([
    ['GET', '/cloud/v1/instances/99/1'],
    ['POST', '/cloud/v2/instances/99/1'],
    ['GET', '/cloud/v1/ddos/profiles/99/1'],
    ['GET', '/cloud/v1/ssh_keys/99'],
    ['DELETE', '/cloud/v1/networks/99/1/5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa'],
    ['POST', '/cloud/v2/instances/99/1/check_limits'],
  ])('is not found by %s %s', async (method, path) => {
    expect(await createCloud().send(method, path)).toMatchObject({
      status: 404,
      body: { exception_class: 'NotFoundError', message: 'Project 99 is not found' },
    });
  });
});

describe('the projects of a state', () => {
  it('are those of a new cloud in a state that names none', async () => {
    const cloud = createCloud({ state: parseSimulatorState({ version: 1 }) });

    expect((await cloud.send('GET', PROJECTS)).body).toMatchObject({
      results: [
        { id: 1, is_default: true },
        { id: 2, is_default: false },
      ],
    });
  });

  it('are kept, the deleted ones too', async () => {
    const { cloud, path } = await withProject();
    await cloud.start('DELETE', path);
    cloud.settle();
    await cloud.send('GET', PROJECTS);

    const restored = createCloud({ state: cloud.simulator.snapshot() });

    expect((await restored.send('GET', path)).body).toMatchObject({ state: 'DELETED' });
  });
});
