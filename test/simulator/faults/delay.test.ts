import { describe, expect, it } from '@jest/globals';

import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import {
  CREATE,
  createFaultyCloud,
  INSTANCES,
  instanceBody,
} from '../../support/worlds/simulated-cloud.js';

describe('a delay', () => {
  it.each([
    [false, 0],
    [true, 1],
  ])('holds the right answer back; after processing: %s', async (afterProcessing, count) => {
    const gate = createGate();
    const cloud = createFaultyCloud({ kind: 'delay', until: gate.opened, afterProcessing });

    const answer = cloud.send('POST', CREATE, instanceBody());
    await until('it has arrived', () => cloud.simulator.inFlight().length === 1);
    const received = cloud.simulator.inFlight();
    // A request that is processed first has its effect before the next answer.
    await cloud.send('GET', INSTANCES);
    const meanwhile = cloud.simulator.inventory().instances;
    gate.open();

    expect(await answer).toMatchObject({ status: 200, body: { tasks: [expect.anything()] } });
    expect(meanwhile).toHaveLength(count);
    expect(received).toEqual([{ method: 'POST', path: CREATE, query: {}, at: cloud.now() }]);
    expect(cloud.simulator.inventory().instances).toHaveLength(1);
    expect(cloud.simulator.inFlight()).toEqual([]);
    expect(cloud.simulator.requests.at(-1)).toMatchObject({ status: 200, fault: 'delay' });
  });

  it('may last a fixed time', async () => {
    const cloud = createFaultyCloud({ kind: 'delay', ms: 50 });
    const started = performance.now();

    const answer = await cloud.send('POST', CREATE, instanceBody());

    expect(answer.status).toBe(200);
    // Node's timers may fire up to a millisecond early.
    expect(performance.now() - started).toBeGreaterThan(48);
  });

  it('delays only its own request', async () => {
    const gate = createGate();
    const cloud = createFaultyCloud({ kind: 'delay', until: gate.opened });
    const late = cloud.send('POST', CREATE, instanceBody());

    await cloud.send('GET', INSTANCES);
    gate.open();
    await late;

    expect(cloud.simulator.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  it('ends even if its promise rejects', async () => {
    const failing = Promise.reject(new Error('no gate'));
    const cloud = createFaultyCloud({ kind: 'delay', until: failing });

    const answer = await cloud.send('POST', CREATE, instanceBody());

    expect(answer.status).toBe(200);
  });

  it('processes the request of a client that disconnects', async () => {
    const gate = createGate();
    const cloud = createFaultyCloud({ kind: 'delay', until: gate.opened });
    const controller = new AbortController();
    const reason = new Error('no patience');
    const answer = cloud.simulator.fetch(`https://api.simulator.test${CREATE}`, {
      method: 'POST',
      headers: { authorization: 'apikey simulator-key' },
      body: JSON.stringify(instanceBody()),
      signal: controller.signal,
    });
    controller.abort(reason);
    await expect(answer).rejects.toBe(reason);

    gate.open();

    await until('it is carried out', () => cloud.simulator.requests.length === 1);
    expect(cloud.simulator.inventory().instances).toHaveLength(1);
  });

  it('that ends after a reset is not logged', async () => {
    const gate = createGate();
    const cloud = createFaultyCloud({ kind: 'delay', until: gate.opened });
    const answer = cloud.send('POST', CREATE, instanceBody());

    cloud.simulator.reset();
    const inFlight = cloud.simulator.inFlight();
    gate.open();
    await answer;

    expect([...inFlight, ...cloud.simulator.requests]).toEqual([]);
  });
});
