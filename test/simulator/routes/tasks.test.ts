import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { taskSchema } from '../../../src/contract/api/cloud.js';
import {
  bootVolume,
  CREATE,
  createCloud,
  INSTANCES,
  instanceBody,
  TASKS,
} from '../../support/worlds/simulated-cloud.js';

describe('a task', () => {
  it('goes from NEW through RUNNING to FINISHED by the clock', async () => {
    const cloud = createCloud();
    const path = `${TASKS}/${await cloud.start('POST', CREATE, instanceBody())}`;

    const queued = await cloud.send('GET', path);
    cloud.advance(10_000);
    const running = await cloud.send('GET', path);
    cloud.advance(20_000);
    const finished = await cloud.send('GET', path);

    expect(queued.body).toMatchObject({ state: 'NEW', created_resources: null, finished_on: null });
    expect(running.body).toMatchObject({ state: 'RUNNING', created_resources: null });
    const { instances, volumes } = cloud.simulator.inventory();
    expect(finished.body).toMatchObject({
      state: 'FINISHED',
      error: null,
      created_resources: {
        instances: [instances[0]?.id],
        volumes: [volumes[0]?.id],
        floatingips: [],
      },
    });
  });

  it.each(['none', 'volume', 'apart'] as const)(
    'that ends in ERROR names what it has left, where that is switched on: %s',
    async (leftovers) => {
      const cloud = createCloud({ namesLeftovers: true });
      const action = { kind: 'task-error', error: 'internal error', leftovers } as const;
      cloud.simulator.faults.add({ match: { method: 'POST', path: CREATE }, action });
      const path = `${TASKS}/${await cloud.start('POST', CREATE, instanceBody())}`;
      cloud.settle();

      const { body } = await cloud.send('GET', path);

      const { instances, volumes } = cloud.simulator.inventory();
      const left = {
        instances: instances.map(({ id }) => id),
        volumes: volumes.map(({ id }) => id),
        floatingips: [],
        networks: [],
      };
      expect(body).toMatchObject({
        state: 'ERROR',
        created_resources: leftovers === 'none' ? null : left,
      });
    },
  );

  it('has every documented field, with times without a zone', async () => {
    const cloud = createCloud();
    const taskId = await cloud.start('POST', CREATE, instanceBody());
    cloud.settle();

    const { body } = await cloud.send('GET', `${TASKS}/${taskId}`);

    expect(taskSchema.parse(body).created_on).toBe('2026-05-23T05:07:31.000Z');
    expect(body).toEqual({
      id: taskId,
      task_type: 'create_vm',
      state: 'FINISHED',
      user_id: 1,
      created_on: '2026-05-23T05:07:31',
      updated_on: expect.stringMatching(/^2026-05-23T05:0[78]:\d\d$/),
      finished_on: expect.stringMatching(/^2026-05-23T05:0[78]:\d\d$/),
      created_resources: expect.anything(),
      error: null,
      detailed_state: null,
      data: expect.objectContaining({ name: 'web-1', flavor_name: 'g2-standard-2-4' }),
      request_id: expect.any(String),
      project_id: 1,
      region_id: 1,
      client_id: 1,
      user_client_id: 1,
      job_id: null,
      schedule_id: null,
      lifecycle_policy_id: null,
      acknowledged_at: null,
      acknowledged_by: null,
    });
  });

  it('echoes the password in its data', async () => {
    const cloud = createCloud();
    const body = instanceBody({ username: 'admin', password: 'plain-to-see' });
    const taskId = await cloud.start('POST', CREATE, body);

    const answer = await cloud.send('GET', `${TASKS}/${taskId}`);

    expect(answer.body).toMatchObject({ data: { password: 'plain-to-see' } });
    expect(JSON.stringify(taskSchema.parse(answer.body))).not.toContain('plain-to-see');
  });

  it('does not contain the tags of its request', async () => {
    const cloud = createCloud();
    const tags = { team: 'blue' };
    const body = instanceBody({ tags, volumes: [bootVolume({ tags })] });
    const taskId = await cloud.start('POST', CREATE, body);

    const answer = await cloud.send('GET', `${TASKS}/${taskId}`);

    expect(JSON.stringify(answer.body)).not.toContain('blue');
  });

  it('takes a seeded, scaled duration within the usual range', async () => {
    const durationsOf = async (seed: number) => {
      const cloud = createCloud({ seed, timeScale: 0.01 });
      for (let count = 0; count < 20; count += 1) {
        await cloud.start('POST', CREATE, instanceBody());
      }
      return cloud.simulator.snapshot().tasks.map((task) => task.endsAt - task.createdAt);
    };

    const [one, same, other] = await Promise.all([durationsOf(1), durationsOf(1), durationsOf(2)]);

    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
    expect(new Set(one).size).toBe(20);
    expect(Math.min(...one)).toBeGreaterThanOrEqual(150);
    expect(Math.max(...one)).toBeLessThanOrEqual(300);
  });

  it('is not found under an unknown id', async () => {
    const cloud = createCloud();

    const answer = await cloud.send('GET', `${TASKS}/${randomUUID()}`);

    expect(answer).toMatchObject({ status: 404, body: { exception_class: 'NotFoundError' } });
  });
});

describe('the task list', () => {
  it('shows 10 tasks by default, newest first', async () => {
    const cloud = createCloud();
    for (let number = 1; number <= 12; number += 1) {
      await cloud.start('POST', CREATE, instanceBody({ name: `web-${number}` }));
    }

    const byDefault = await cloud.send('GET', TASKS);
    const all = await cloud.send('GET', `${TASKS}?limit=1000&order_by=asc`);

    const names = (body: unknown) => JSON.stringify(body).match(/"name":"web-\d+"/g);
    expect(byDefault.body).toMatchObject({ count: 12 });
    expect(names(byDefault.body)).toHaveLength(10);
    expect(names(byDefault.body)?.[0]).toBe('"name":"web-12"');
    expect(names(all.body)).toHaveLength(12);
    expect(names(all.body)?.[0]).toBe('"name":"web-1"');
  });

  it.each([
    ['project_id=1', ['old', 'new']],
    ['project_id=2', ['foreign']],
    ['project_id=1&project_id=2', ['old', 'new', 'foreign']],
    ['region_id=76', ['foreign']],
    ['state=FINISHED', ['old']],
    ['state=NEW&state=RUNNING', ['new', 'foreign']],
    ['task_type=create_vm', ['old', 'new', 'foreign']],
    ['task_type=delete_vm', []],
    ['from_timestamp=2026-05-23T05:08:31Z', ['new', 'foreign']],
    ['to_timestamp=2026-05-23T05:08:30', ['old']],
    ['from_timestamp=2026-05-23T05:07:31&to_timestamp=2026-05-23T05:07:31', ['old']],
    ['limit=1&offset=1', ['new']],
  ])('filters by %s', async (query, expected) => {
    const cloud = createCloud();
    await cloud.createInstance({ name: 'old' });
    await cloud.start('POST', CREATE, instanceBody({ name: 'new' }));
    await cloud.start('POST', '/cloud/v2/instances/2/76', instanceBody({ name: 'foreign' }));

    const answer = await cloud.send('GET', `${TASKS}?order_by=asc&${query}`);

    const results = expected.map((name) => ({ data: { name } }));
    expect(answer.body).toMatchObject({ results });
  });

  it('compares creation times by whole seconds', async () => {
    const cloud = createCloud();
    cloud.advance(600);
    await cloud.start('POST', CREATE, instanceBody());

    const sinceTheCall = await cloud.send(
      'GET',
      `${TASKS}?from_timestamp=2026-05-23T05:07:31.500Z`,
    );
    const sinceBefore = await cloud.send('GET', `${TASKS}?from_timestamp=2026-05-23T05:07:30.500Z`);

    expect(sinceTheCall.body).toMatchObject({ count: 0 });
    expect(sinceBefore.body).toMatchObject({ count: 1 });
  });

  it.each(['state=DONE', 'limit=1001', 'project_id=one', 'from_timestamp=yesterday', 'sort=asc'])(
    'refuses the query %s',
    async (query) => {
      const cloud = createCloud();

      const answer = await cloud.send('GET', `${TASKS}?${query}`);

      expect(answer).toMatchObject({ status: 400, body: { exception_class: 'ValidationError' } });
    },
  );

  it('shows deletions with the instance they delete', async () => {
    const cloud = createCloud();
    const { id } = await cloud.createInstance();
    await cloud.start('DELETE', `${INSTANCES}/${id}`);

    const answer = await cloud.send('GET', `${TASKS}?task_type=delete_vm`);

    expect(answer.body).toMatchObject({ results: [{ data: { instance_uuid: id } }] });
  });
});

describe('an acknowledgement', () => {
  it('marks one task, or all of a project or region, and keeps its first time', async () => {
    const cloud = createCloud();
    const first = await cloud.start('POST', CREATE, instanceBody());
    const second = await cloud.start('POST', CREATE, instanceBody());
    const elsewhere = await cloud.start('POST', '/cloud/v2/instances/1/2', instanceBody());
    const list = async (query: string) => (await cloud.send('GET', `${TASKS}?${query}`)).body;

    const one = await cloud.send('POST', `${TASKS}/${first}/acknowledge`);
    const acknowledged = await list('is_acknowledged=true');
    cloud.advance(60_000);
    const all = await cloud.send('POST', `${TASKS}/acknowledge_all?project_id=1&region_id=1`);

    expect(one.body).toMatchObject({
      id: first,
      acknowledged_at: '2026-05-23T05:07:31',
      acknowledged_by: 1,
    });
    expect(acknowledged).toMatchObject({ count: 1, results: [{ id: first }] });
    expect(all).toEqual({ status: 204, body: undefined });
    expect(await list('is_acknowledged=false')).toMatchObject({
      count: 1,
      results: [{ id: elsewhere, acknowledged_at: null }],
    });
    expect(await list('is_acknowledged=true&sorting=asc')).toMatchObject({
      results: [
        { id: first, acknowledged_at: '2026-05-23T05:07:31' },
        { id: second, acknowledged_at: '2026-05-23T05:08:31' },
      ],
    });
  });
});
