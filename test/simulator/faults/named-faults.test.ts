import { describe, expect, it } from '@jest/globals';

import { FaultName } from '../../../src/simulator/index.js';
import { CREATE, createCloud, instanceBody, TASKS } from '../../support/worlds/simulated-cloud.js';

const FAULTS = '/simulator/faults';
const REGIONS = '/cloud/v1/regions';

/** Which faults are active, as a program in any language learns it. */
async function activeIn({ send }: ReturnType<typeof createCloud>): Promise<unknown> {
  const { body } = await send('GET', FAULTS);
  return body;
}

function only(...names: FaultName[]) {
  const faults = Object.values(FaultName).map((name) =>
    expect.objectContaining({ name, active: names.includes(name) }),
  );
  return { faults };
}

describe('the faults of the simulator by their names', () => {
  it('lose the answer to the next create, and that one only', async () => {
    const cloud = createCloud();
    await cloud.send('PUT', `${FAULTS}/lost-create`);
    const before = await activeIn(cloud);

    const lost = cloud.send('POST', CREATE, instanceBody());
    await expect(lost).rejects.toThrow('fetch failed');
    const again = await cloud.send('POST', CREATE, instanceBody());

    expect(again.status).toBe(200);
    expect(cloud.simulator.inventory().instances).toHaveLength(2);
    expect(before).toEqual(only('lost-create'));
    expect(await activeIn(cloud)).toEqual(only());
  });

  it.each([
    { name: 'outage', call: ['GET', REGIONS], status: 503 },
    { name: 'key-revoked', call: ['GET', REGIONS], status: 401 },
    { name: 'quota', call: ['POST', CREATE, instanceBody()], status: 403 },
  ] as const)('$name lasts until it is deleted', async ({ name, call, status }) => {
    const cloud = createCloud();
    const [method, path, body] = call;
    const ask = async () => (await cloud.send(method, path, body)).status;
    await cloud.send('PUT', `${FAULTS}/${name}`);

    const during = [await ask(), await ask(), await ask()];
    const active = await activeIn(cloud);
    await cloud.send('DELETE', `${FAULTS}/${name}`);

    expect(during).toEqual([status, status, status]);
    expect(active).toEqual(only(name));
    expect(await ask()).toBe(200);
  });

  it('answer 429 above one request a second', async () => {
    const cloud = createCloud();
    await cloud.send('PUT', `${FAULTS}/rate-limit`);

    const first = await cloud.send('GET', REGIONS);
    const second = await cloud.send('GET', REGIONS);

    expect([first.status, second.status]).toEqual([200, 429]);
  });

  it('let the task of the next create fail', async () => {
    const cloud = createCloud();
    await cloud.send('PUT', `${FAULTS}/task-error`);
    const taskId = await cloud.start('POST', CREATE, instanceBody());
    cloud.settle();

    const { body } = await cloud.send('GET', `${TASKS}/${taskId}`);

    expect(body).toMatchObject({ state: 'ERROR', error: 'No valid host was found' });
    expect(cloud.simulator.inventory().volumes).toMatchObject([{ status: 'error' }]);
  });

  it('make tasks ten times as long', async () => {
    const cloud = createCloud();
    cloud.simulator.faults.start('slow-task');
    const taskId = await cloud.start('POST', CREATE, instanceBody());
    const state = async () => (await cloud.send('GET', `${TASKS}/${taskId}`)).body;

    cloud.advance(140_000);
    const early = await state();
    cloud.advance(161_000);

    expect(early).toMatchObject({ state: 'RUNNING' });
    expect(await state()).toMatchObject({ state: 'FINISHED' });
  });

  it('end together, and with a reset', async () => {
    const cloud = createCloud();
    for (const name of Object.values(FaultName)) cloud.simulator.faults.start(name);

    const { body } = await cloud.send('DELETE', FAULTS);
    cloud.simulator.faults.start('outage');
    cloud.simulator.reset();

    expect(body).toEqual(only());
    expect(await activeIn(cloud)).toEqual(only());
    expect((await cloud.send('GET', REGIONS)).status).toBe(200);
  });

  it('are started without a key and outside the log, also during an outage', async () => {
    const { simulator } = createCloud();
    simulator.faults.start('outage');

    const stopped = await simulator.fetch(`https://api.simulator.test${FAULTS}/outage`, {
      method: 'DELETE',
    });

    expect(stopped.status).toBe(200);
    expect(simulator.requests).toEqual([]);
  });

  it.each([
    ['PUT', '/simulator/faults/earthquake', 'There is no fault "earthquake". Faults: lost-create,'],
    ['DELETE', '/simulator/faults/toString', 'There is no fault "toString"'],
    ['POST', '/simulator/faults/outage', '/simulator has GET and DELETE /faults'],
    ['GET', '/simulator/instances', '/simulator has GET and DELETE /faults'],
  ])('answer %s %s with what there is', async (method, path, text) => {
    const answer = await createCloud().send(method, path);

    expect(answer).toMatchObject({ status: 404, body: { error: expect.stringContaining(text) } });
  });
});
