import { describe, expect, it } from '@jest/globals';

import { until } from '../../support/timing/until.js';
import {
  CREATE,
  createFaultyCloud,
  CREATION,
  INSTANCES,
  instanceBody,
  tagQuery,
  TASKS,
  VOLUMES,
  PRIVATE_NETWORK,
} from '../../support/worlds/simulated-cloud.js';

describe('a dropped connection', () => {
  it.each([
    ['drop-request', 0],
    ['drop-response', 1],
  ] as const)('rejects like fetch: %s leaves %i instances', async (kind, instances) => {
    const cloud = createFaultyCloud({ kind });

    const answer = cloud.send('POST', CREATE, instanceBody());

    await expect(answer).rejects.toThrow('fetch failed');
    await expect(answer).rejects.toMatchObject({
      name: 'TypeError',
      cause: { code: 'ECONNRESET' },
    });
    expect(cloud.simulator.inventory().instances).toHaveLength(instances);
    expect(cloud.simulator.requests).toMatchObject([{ status: 'dropped', fault: kind }]);
  });
});

describe('a status', () => {
  it.each([
    [false, 0],
    [true, 1],
  ])('may come after processing: %s leaves %i instances', async (afterProcessing, instances) => {
    const cloud = createFaultyCloud({ kind: 'status', status: 500, afterProcessing });

    const answer = await cloud.send('POST', CREATE, instanceBody());

    expect(answer).toMatchObject({ status: 500, body: { exception_class: 'HTTPError' } });
    expect(cloud.simulator.inventory().instances).toHaveLength(instances);
  });

  it.each([['7'], [undefined]])('has Retry-After when the rule sets it: %s', async (retryAfter) => {
    const action = { kind: 'status', status: 429, ...(retryAfter && { retryAfter }) } as const;
    const { simulator } = createFaultyCloud(action, {});

    const response = await simulator.fetch('https://api.simulator.test/');

    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe(retryAfter ?? null);
  });

  it.each([
    { status: 502, body: '<html>Bad gateway</html>', contentType: 'text/html' },
    { status: 200, body: '{"tasks":["', contentType: 'application/json' },
  ])('may have the text of a gateway or a truncated body: $body', async (answer) => {
    const { simulator } = createFaultyCloud({ kind: 'status', ...answer }, {});

    const response = await simulator.fetch('https://api.simulator.test/');

    expect(response.status).toBe(answer.status);
    expect(response.headers.get('content-type')).toBe(answer.contentType);
    expect(await response.text()).toBe(answer.body);
  });

  it('may have any body', async () => {
    const body = { exception_class: 'QuotaLimitExceed', message: 'Quota limit exceeded' };
    const cloud = createFaultyCloud({ kind: 'status', status: 403, body });

    const answer = await cloud.send('POST', CREATE, instanceBody());

    expect(answer).toEqual({ status: 403, body });
  });
});

describe('a hang', () => {
  it.each([
    [false, 0],
    [true, 1],
  ])('ends with the reason of the abort; after processing %s', async (afterProcessing, count) => {
    const cloud = createFaultyCloud({ kind: 'hang', afterProcessing });
    const controller = new AbortController();
    const reason = new Error('no patience');

    const answer = cloud.simulator.fetch(`https://api.simulator.test${CREATE}`, {
      method: 'POST',
      headers: { authorization: 'apikey simulator-key' },
      body: JSON.stringify(instanceBody()),
      signal: controller.signal,
    });
    await until('it hangs', () => cloud.simulator.requests.length === 1);
    controller.abort(reason);

    await expect(answer).rejects.toBe(reason);
    expect(cloud.simulator.inventory().instances).toHaveLength(count);
    expect(cloud.simulator.requests).toMatchObject([{ status: 'hung', fault: 'hang' }]);
  });
});

describe('a failed task', () => {
  it.each([
    ['none', [], []],
    ['volume', [], ['error']],
    ['instance', ['ERROR'], ['in-use']],
  ] as const)('leaves behind: %s', async (leftovers, instances, volumes) => {
    const cloud = createFaultyCloud({ kind: 'task-error', error: 'No valid host', leftovers });
    const taskId = await cloud.start('POST', CREATE, instanceBody());
    cloud.settle();

    const task = await cloud.send('GET', `${TASKS}/${taskId}`);
    const exists = cloud.simulator.inventory();

    expect(task.body).toMatchObject({
      state: 'ERROR',
      error: 'No valid host',
      created_resources: null,
    });
    expect(exists.instances.map((row) => row.status)).toEqual(instances);
    expect(exists.volumes.map((row) => row.status)).toEqual(volumes);
  });

  it('releases existing resources and removes its new floating IP', async () => {
    const cloud = createFaultyCloud({ kind: 'task-error', error: 'Full' }, { ...CREATION, nth: 2 });
    const first = await cloud.createInstance();
    await cloud.start('DELETE', `${INSTANCES}/${first.id}`);
    cloud.settle();
    const volume_id = first.volumes[0]?.id;

    await cloud.start('POST', CREATE, {
      ...instanceBody(),
      volumes: [{ source: 'existing-volume', volume_id, boot_index: 0, tags: { run: 'a' } }],
      interfaces: [
        { type: 'any_subnet', network_id: PRIVATE_NETWORK, floating_ip: { source: 'new' } },
      ],
    });
    cloud.settle();

    const tags = [{ key: 'run', value: 'a', read_only: false }];
    expect(cloud.simulator.inventory()).toMatchObject({
      instances: [],
      floatingIps: [],
      volumes: [{ id: volume_id, status: 'available', task_id: null, attachments: [], tags }],
    });
  });

  it('looks like any other task while it runs', async () => {
    const cloud = createFaultyCloud({ kind: 'task-error', error: 'No valid host' });
    const taskId = await cloud.start('POST', CREATE, instanceBody());
    cloud.advance(14_000);

    const task = await cloud.send('GET', `${TASKS}/${taskId}`);

    expect(task.body).toMatchObject({ state: 'RUNNING', error: null });
  });

  it('of a deletion keeps the instance and unlocks it', async () => {
    const cloud = createFaultyCloud({ kind: 'task-error', error: 'Busy' }, { method: 'DELETE' });
    const { id, volumes } = await cloud.createInstance();

    await cloud.start('DELETE', `${INSTANCES}/${id}?volumes=${volumes[0]?.id ?? ''}`);
    cloud.settle();

    expect(cloud.simulator.inventory()).toMatchObject({
      instances: [{ id, status: 'ACTIVE', task_id: null }],
      volumes: [{ status: 'in-use', task_id: null }],
    });
  });

  it('of a volume deletion keeps the volume available', async () => {
    const cloud = createFaultyCloud(
      { kind: 'task-error', error: 'Busy' },
      { method: 'DELETE', path: /\/volumes\// },
    );
    const { id, volumes } = await cloud.createInstance();
    await cloud.start('DELETE', `${INSTANCES}/${id}`);
    cloud.settle();

    await cloud.start('DELETE', `${VOLUMES}/${volumes[0]?.id ?? ''}`);
    cloud.settle();

    expect(cloud.simulator.inventory().volumes).toMatchObject([
      { status: 'available', task_id: null },
    ]);
  });
});

describe('list lag', () => {
  it('hides new resources from lists but not from a GET by id', async () => {
    const cloud = createFaultyCloud({ kind: 'list-lag', ms: 2000 });
    const body = instanceBody({ tags: { run: 'a' } });
    const taskId = await cloud.start('POST', CREATE, body);
    const id = cloud.simulator.inventory().instances[0]?.id ?? '';
    const lists = [INSTANCES + tagQuery({ run: 'a' }), VOLUMES, TASKS];
    const counts = async () => {
      const answers = await Promise.all(lists.map((path) => cloud.send('GET', path)));
      return answers.map((answer) => answer.body);
    };

    cloud.advance(1999);
    const early = await counts();
    const byId = await cloud.send('GET', `${INSTANCES}/${id}`);
    const task = await cloud.send('GET', `${TASKS}/${taskId}`);
    cloud.advance(1);
    const late = await counts();

    expect(early).toEqual(lists.map(() => ({ count: 0, results: [] })));
    expect([byId.status, task.status]).toEqual([200, 200]);
    expect(late).toMatchObject(lists.map(() => ({ count: 1 })));
  });

  it('combines with a lost answer: no list shows the call yet', async () => {
    const cloud = createFaultyCloud({ kind: 'list-lag', ms: 2000 });
    cloud.simulator.faults.add({ match: CREATION, action: { kind: 'drop-response' } });

    const answer = cloud.send('POST', CREATE, instanceBody());

    await expect(answer).rejects.toThrow('fetch failed');
    const list = await cloud.send('GET', INSTANCES);
    expect(list.body).toMatchObject({ count: 0 });
    expect(cloud.simulator.inventory().instances).toHaveLength(1);
    expect(cloud.simulator.requests[0]?.fault).toBe('drop-response+list-lag');
  });
});
