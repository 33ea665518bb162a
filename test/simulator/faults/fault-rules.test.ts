import { describe, expect, it } from '@jest/globals';

import {
  CREATE,
  type createCloud,
  createFaultyCloud,
  CREATION,
  INSTANCES,
  instanceBody,
  TASKS,
} from '../../support/worlds/simulated-cloud.js';

describe('a fault rule', () => {
  const statusesOf = async (cloud: ReturnType<typeof createCloud>, count: number) => {
    const statuses: number[] = [];
    for (let number = 1; number <= count; number += 1) {
      const answer = await cloud.send('GET', INSTANCES);
      statuses.push(answer.status);
    }
    return statuses;
  };

  it.each([
    [{}, [503, 200, 200, 200]],
    [{ nth: 2 }, [200, 503, 200, 200]],
    [{ times: 2 }, [503, 503, 200, 200]],
    [{ nth: 2, times: 2 }, [200, 503, 503, 200]],
    [{ nth: 3, times: Infinity }, [200, 200, 503, 503]],
    [{ every: 2, times: Infinity }, [503, 200, 503, 200]],
    [{ nth: 2, every: 2, times: Infinity }, [200, 503, 200, 503]],
    [{ method: 'post' }, [200, 200, 200, 200]],
    [{ method: 'get' }, [503, 200, 200, 200]],
    [{ path: '/cloud/v1/instances' }, [200, 200, 200, 200]],
    [{ path: INSTANCES }, [503, 200, 200, 200]],
    [{ path: /instances\/1/g, times: 3 }, [503, 503, 503, 200]],
    [{ userAgent: /order-1/ }, [200, 200, 200, 200]],
  ])('%j applies only to the matching requests', async (match, expected) => {
    const cloud = createFaultyCloud({ kind: 'status', status: 503 }, match);

    const statuses = await statusesOf(cloud, 4);

    expect(statuses).toEqual(expected);
  });

  it('applies only to the requests of its run', async () => {
    const cloud = createFaultyCloud({ kind: 'status', status: 503 }, { userAgent: /\(order-1\)$/ });
    const ask = (userAgent: string) =>
      cloud.sendAs({ 'user-agent': userAgent }, { method: 'GET', path: INSTANCES });

    const other = await ask('gcore-workflows/1.0 (order-12)');
    const named = await ask('gcore-workflows/1.0 (order-1)');

    expect([other.status, named.status]).toEqual([200, 503]);
  });

  it('waits for the next request when another rule applies first', async () => {
    const cloud = createFaultyCloud({ kind: 'status', status: 503 }, {});
    cloud.simulator.faults.add({ match: {}, action: { kind: 'status', status: 429 } });

    const statuses = await statusesOf(cloud, 3);

    expect(statuses).toEqual([503, 429, 200]);
  });

  it('for a task waits for a request that is processed', async () => {
    const cloud = createFaultyCloud({ kind: 'drop-request' });
    cloud.simulator.faults.add({ match: CREATION, action: { kind: 'task-error', error: 'Full' } });

    await expect(cloud.send('POST', CREATE, instanceBody())).rejects.toThrow('fetch failed');
    const taskId = await cloud.start('POST', CREATE, instanceBody());
    cloud.settle();
    const task = await cloud.send('GET', `${TASKS}/${taskId}`);

    expect(task.body).toMatchObject({ state: 'ERROR', error: 'Full' });
  });

  it('ends with clear', async () => {
    const cloud = createFaultyCloud({ kind: 'status', status: 503 }, { times: Infinity });

    cloud.simulator.faults.clear();

    expect(await statusesOf(cloud, 1)).toEqual([200]);
  });

  it.each([{ nth: 0 }, { times: 0 }, { nth: 1.5 }])(
    'that could never apply is refused: %j',
    (match) => {
      expect(() => createFaultyCloud({ kind: 'drop-request' }, match)).toThrow(RangeError);
    },
  );
});
