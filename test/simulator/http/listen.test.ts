import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { afterEach, describe, expect, it } from '@jest/globals';

import { createSimulator, type Listener, type Simulator } from '../../../src/simulator/index.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import { CREATE, INSTANCES, instanceBody } from '../../support/worlds/simulated-cloud.js';

const HEADERS = { authorization: 'apikey simulator-key' };
const open: Listener[] = [];

/** A client in its own process. */
const CLIENT = `
const body = ${JSON.stringify(JSON.stringify(instanceBody()))};
fetch(process.argv[1], { method: 'POST', headers: ${JSON.stringify(HEADERS)}, body });
`;

async function listen(simulator: Simulator): Promise<Listener> {
  const listener = await simulator.listen();
  open.push(listener);
  return listener;
}

function create(url: string): Promise<Response> {
  const body = JSON.stringify(instanceBody());
  return fetch(url + CREATE, { method: 'POST', headers: HEADERS, body });
}

describe('a simulator on a port', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((listener) => listener.close()));
  });

  it('answers over the loopback and shares its state with the in-process fetch', async () => {
    const simulator = createSimulator();
    const { url } = await listen(simulator);

    const created = await create(url);
    const list = await simulator.fetch(url + INSTANCES, { headers: HEADERS });

    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(created.status).toBe(200);
    expect(await list.json()).toMatchObject({ count: 1 });
  });

  it.each([
    ['drop-request', 0],
    ['drop-response', 1],
  ] as const)('destroys the socket: %s leaves %i instances', async (kind, instances) => {
    const simulator = createSimulator();
    simulator.faults.add({ match: { method: 'POST' }, action: { kind } });
    const { url } = await listen(simulator);

    const answer = create(url);

    await expect(answer).rejects.toMatchObject({ name: 'TypeError', message: 'fetch failed' });
    expect(simulator.inventory().instances).toHaveLength(instances);
    expect(simulator.requests).toHaveLength(1);
  });

  it('lets a hanging client abort', async () => {
    const simulator = createSimulator();
    simulator.faults.add({ match: {}, action: { kind: 'hang' } });
    const { url } = await listen(simulator);

    const client = new AbortController();
    const answer = fetch(url, { signal: client.signal });
    await until('the request has arrived', () => simulator.requests.length === 1);
    client.abort();

    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    expect(simulator.requests).toMatchObject([{ status: 'hung' }]);
  });

  it('processes a received request even if the client is killed before the answer', async () => {
    const gate = createGate();
    const simulator = createSimulator();
    simulator.faults.add({
      match: { method: 'POST' },
      action: { kind: 'delay', until: gate.opened },
    });
    const { url } = await listen(simulator);
    const client = spawn(process.execPath, ['-e', CLIENT, '--', url + CREATE]);
    await until('the request has arrived', () => simulator.inFlight().length === 1);

    client.kill('SIGKILL');
    await once(client, 'exit');
    gate.open();

    await until('it has ended', () => simulator.requests.length === 1);
    expect(simulator.inventory().instances).toHaveLength(1);
  });

  it('ends a hanging connection when it closes', async () => {
    const simulator = createSimulator();
    simulator.faults.add({ match: { path: '/hang' }, action: { kind: 'hang' } });
    const listener = await simulator.listen();
    const hanging = fetch(`${listener.url}/hang`).catch((error: unknown) => error);
    while (simulator.requests.length === 0) await fetch(listener.url);

    await listener.close();

    expect(await hanging).toMatchObject({ message: 'fetch failed' });
    await expect(fetch(listener.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  it('refuses a port that is taken', async () => {
    const { url } = await listen(createSimulator());

    const second = createSimulator().listen({ port: Number(new URL(url).port) });

    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
