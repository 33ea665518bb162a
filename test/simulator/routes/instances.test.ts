import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import {
  CREATE,
  createCloud,
  INSTANCES,
  instanceBody,
  tagQuery,
  VOLUMES,
} from '../../support/worlds/simulated-cloud.js';

describe('listing instances', () => {
  it('returns only instances that have all tags of the filter', async () => {
    const cloud = createCloud();
    await cloud.createInstance({ name: 'both', tags: { team: 'web', stage: 'live' } });
    await cloud.createInstance({ name: 'one', tags: { team: 'web', stage: 'test' } });

    const all = await cloud.send('GET', INSTANCES + tagQuery({ team: 'web' }));
    const both = await cloud.send('GET', INSTANCES + tagQuery({ team: 'web', stage: 'live' }));
    const none = await cloud.send('GET', INSTANCES + tagQuery({ team: 'we' }));

    expect(all.body).toMatchObject({ count: 2 });
    expect(both.body).toMatchObject({ count: 1, results: [{ name: 'both' }] });
    expect(none.body).toEqual({ count: 0, results: [] });
  });

  it('filters by a part of the name and by status, and pages', async () => {
    const cloud = createCloud();
    await cloud.createInstance({ name: 'web-a' });
    await cloud.createInstance({ name: 'web-b' });
    await cloud.createInstance({ name: 'mail' });
    await cloud.start('POST', CREATE, instanceBody({ name: 'web-c' }));

    const byName = await cloud.send('GET', `${INSTANCES}?name=eb-`);
    const building = await cloud.send('GET', `${INSTANCES}?status=BUILD`);
    const page = await cloud.send('GET', `${INSTANCES}?limit=1&offset=1&order_by=name.asc`);

    expect(byName.body).toMatchObject({
      results: [{ name: 'web-c' }, { name: 'web-b' }, { name: 'web-a' }],
    });
    expect(building.body).toMatchObject({ count: 1, results: [{ name: 'web-c' }] });
    expect(page.body).toMatchObject({ count: 4, results: [{ name: 'web-a' }] });
  });

  it('shows nothing of other projects and regions', async () => {
    const cloud = createCloud();
    const { id } = await cloud.createInstance();

    const elsewhere = await cloud.send('GET', '/cloud/v1/instances/1/2');
    const byId = await cloud.send('GET', `/cloud/v1/instances/2/1/${id}`);

    expect(elsewhere.body).toEqual({ count: 0, results: [] });
    expect(byId.status).toBe(404);
  });

  it.each([
    ['tag_key_value=team', 'tag_key_value'],
    ['limit=1001', 'limit'],
    ['limit=0', 'limit'],
    ['order_by=size.asc', 'order_by'],
    ['color=red', 'color'],
    ['only_isolated=maybe', 'only_isolated'],
    ['changes-since=yesterday', 'changes-since'],
  ])('refuses the query %s', async (query, field) => {
    const cloud = createCloud();

    const answer = await cloud.send('GET', `${INSTANCES}?${query}`);

    expect(answer).toMatchObject({
      status: 400,
      body: {
        exception_class: 'ValidationError',
        invalid_fields: { [field]: [expect.anything()] },
      },
    });
  });
});

describe('changing an instance', () => {
  it('merges tags, removes null tags and answers immediately', async () => {
    const cloud = createCloud();
    const { id } = await cloud.createInstance({ tags: { keep: 'this', drop: 'that' } });

    const answer = await cloud.send('PATCH', `${INSTANCES}/${id}`, {
      name: 'renamed',
      tags: { drop: null, 'workflow-request': 'ns/order-1' },
    });

    expect(answer).toMatchObject({ status: 200, body: { name: 'renamed', task_id: null } });
    expect(cloud.simulator.inventory().instances[0]?.tags).toEqual([
      { key: 'keep', value: 'this', read_only: false },
      { key: 'workflow-request', value: 'ns/order-1', read_only: false },
    ]);
  });

  it('refuses an invalid body and changes nothing', async () => {
    const cloud = createCloud();
    const { id } = await cloud.createInstance();

    const answer = await cloud.send('PATCH', `${INSTANCES}/${id}`, { name: 'renamed', tags: 'x' });

    expect(answer.status).toBe(400);
    expect(cloud.simulator.inventory().instances[0]?.name).toBe('web-1');
  });
});

describe('paths', () => {
  it.each([
    `${INSTANCES}/${randomUUID()}`,
    `${VOLUMES}/${randomUUID()}`,
    '/cloud/v1/instances/999/1',
    '/cloud/v1/instances/1/999',
    '/cloud/v1/instances/one/1',
    '/cloud/v1/nothing',
    '/',
  ])('answers the unknown path %s with the 404 of the cloud area', async (path) => {
    const cloud = createCloud();

    const answer = await cloud.send('GET', path);

    expect(answer).toMatchObject({
      status: 404,
      body: { exception_class: 'NotFoundError', message: expect.any(String) },
    });
  });
});
