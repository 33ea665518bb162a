import { describe, expect, it } from '@jest/globals';

import {
  emptyState,
  parseSimulatorState,
  type SimulatorState,
} from '../../../src/simulator/index.js';
import {
  CREATE,
  createCloud,
  INSTANCES,
  instanceBody,
  TASKS,
} from '../../support/worlds/simulated-cloud.js';

describe('a snapshot', () => {
  it('continues a running task in another simulator, through JSON', async () => {
    const first = createCloud();
    const taskId = await first.start('POST', CREATE, instanceBody());
    const text = JSON.stringify(first.simulator.snapshot());

    const second = createCloud({ state: parseSimulatorState(JSON.parse(text)) });
    const running = await second.send('GET', `${TASKS}/${taskId}`);
    second.settle();
    const finished = await second.send('GET', `${TASKS}/${taskId}`);

    expect(running.body).toMatchObject({ state: 'NEW' });
    expect(finished.body).toMatchObject({ state: 'FINISHED' });
    expect(second.simulator.inventory().instances).toMatchObject([{ status: 'ACTIVE' }]);
  });

  it('continues the sequence of durations and addresses', async () => {
    const first = createCloud();
    const before = await first.createInstance();

    const second = createCloud({ state: first.simulator.snapshot() });
    const after = await second.createInstance();

    const [one, two] = second.simulator
      .snapshot()
      .tasks.map((task) => task.endsAt - task.createdAt);
    expect(after.addresses).not.toEqual(before.addresses);
    expect(two).not.toBe(one);
  });

  it('is a copy: changes of one side do not affect the other', async () => {
    const cloud = createCloud();
    const snapshot = cloud.simulator.snapshot();

    await cloud.createInstance();

    expect(snapshot.instances).toEqual([]);
  });

  it('with a wrong shape is refused with every fault', () => {
    const broken = { sequence: 1, tasks: [{}] };

    expect(() => parseSimulatorState(broken)).toThrow(/version: [^]*tasks\[0\]\.id/);
  });

  it('may leave out what does not exist', () => {
    expect(parseSimulatorState({ version: 1 })).toEqual(emptyState());
  });
});

describe('the state over HTTP', () => {
  it('is taken from one simulator and put into another', async () => {
    const first = createCloud();
    const { id } = await first.createInstance();
    const { body } = await first.send('GET', '/simulator/state');
    const states: SimulatorState[] = [];
    const second = createCloud({ onChange: (state) => states.push(state) });

    const put = await second.send('PUT', '/simulator/state', body);

    expect(put.status).toBe(204);
    expect(second.simulator.inventory().instances).toMatchObject([{ id }]);
    expect(states).toHaveLength(1);
  });

  it('shows the end of each task that is due', async () => {
    const cloud = createCloud();
    await cloud.start('POST', CREATE, instanceBody());
    cloud.settle();

    const { body } = await cloud.send('GET', '/simulator/state');

    expect(body).toMatchObject({ instances: [{ status: 'ACTIVE' }], tasks: [{ settled: true }] });
  });

  it('stays as it is when what is put is no state', async () => {
    const cloud = createCloud();
    await cloud.createInstance();

    const put = await cloud.send('PUT', '/simulator/state', { version: 1, videos: [{}] });

    expect(put).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('videos[0].') },
    });
    expect(cloud.simulator.inventory().instances).toHaveLength(1);
  });
});

describe('onChange', () => {
  it('is called with the new state after each change only', async () => {
    const states: SimulatorState[] = [];
    const cloud = createCloud({ onChange: (state) => states.push(state) });

    await cloud.start('POST', CREATE, instanceBody());
    await cloud.send('GET', INSTANCES);
    cloud.settle();
    await cloud.send('GET', INSTANCES);
    await cloud.send('GET', INSTANCES);

    expect(states.map((state) => state.instances[0]?.status)).toEqual(['BUILD', 'ACTIVE']);
  });

  it('is called before an answer that gets lost', async () => {
    const states: SimulatorState[] = [];
    const cloud = createCloud({ onChange: (state) => states.push(state) });
    cloud.simulator.faults.add({ match: {}, action: { kind: 'drop-response' } });

    await expect(cloud.send('POST', CREATE, instanceBody())).rejects.toThrow('fetch failed');

    expect(states).toHaveLength(1);
  });
});

describe('reset', () => {
  it('empties the cloud, the log and the faults', async () => {
    const cloud = createCloud();
    await cloud.createInstance();
    cloud.simulator.faults.add({ match: {}, action: { kind: 'drop-request' } });

    cloud.simulator.reset();

    expect(cloud.simulator.requests).toEqual([]);
    expect(cloud.simulator.inventory()).toEqual({
      networks: [],
      subnets: [],
      images: [],
      securityGroups: [],
      placementGroups: [],
      instances: [],
      volumes: [],
      floatingIps: [],
      snapshots: [],
      reservedFixedIps: [],
      videos: [],
      tasks: [],
      sshKeys: [],
      kvStores: [],
      sftpStorages: [],
      cloudSshKeys: [],
      ddosProfiles: [],
    });
    expect(await cloud.send('GET', INSTANCES)).toMatchObject({ status: 200, body: { count: 0 } });
  });
});

describe('the request log', () => {
  it('has requests and statuses but never a body or the key', async () => {
    const cloud = createCloud();

    await cloud.send('POST', CREATE, instanceBody({ password: 'plain-to-see' }));
    await cloud.send('GET', `${TASKS}?state=NEW&state=RUNNING&limit=5`);

    expect(cloud.simulator.requests).toEqual([
      { method: 'POST', path: CREATE, query: {}, status: 200, at: cloud.now() },
      {
        method: 'GET',
        path: TASKS,
        query: { state: ['NEW', 'RUNNING'], limit: ['5'] },
        status: 200,
        at: cloud.now(),
      },
    ]);
    expect(JSON.stringify(cloud.simulator.requests)).not.toMatch(/plain-to-see|simulator-key/);
  });
});
