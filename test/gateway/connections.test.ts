import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';
import { Hono } from 'hono';

import {
  admit,
  createAdmission,
  GATEWAY_LIMITS,
  type AdmissionLimits,
} from '../../src/gateway/admission.js';
import type { GatewayEnv } from '../../src/gateway/gateway-context.js';
import { answerProblem, identify } from '../../src/gateway/middleware.js';
import { serveGateway, type GatewayServer } from '../../src/gateway/serve-gateway.js';
import { toProblem } from '../../src/gateway/to-problem.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';
import { statusOf } from './send-bytes.js';

const LOCAL = { host: '127.0.0.1', port: 0 };
const MOST = 20;
const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const HALF = 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ';

const opened: Socket[] = [];
const servers: GatewayServer[] = [];

afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await server.close();
});

/** Each request waits until the gate is open, on a seat if there is one. */
async function serve({ seats, memory }: AdmissionLimits = GATEWAY_LIMITS) {
  const gate = createGate();
  const app = new Hono<GatewayEnv>();
  app.onError((error, c) => answerProblem(c, toProblem(error)));
  app.use(
    identify(() => undefined),
    admit(createAdmission({ seats, memory })),
  );
  app.get('/', async (c) => {
    await gate.opened;
    return c.text('x');
  });
  const server = await serveGateway(app, { ...LOCAL, limits: { withoutSeat: MOST } });
  servers.push(server);
  return { port: Number(new URL(server.url).port), gate };
}

async function open(port: number, localAddress: string, text = ''): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  socket.resume();
  opened.push(socket);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

async function openMany(port: number, localAddress: string, text?: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let at = 0; at < 3 * MOST; at += 1) sockets.push(await open(port, localAddress, text));
  return sockets;
}

const areOpen = (sockets: readonly Socket[]) => sockets.filter(({ destroyed }) => !destroyed);

describe('connections without a seat', () => {
  it.each([
    ['that say nothing', ''],
    ['that send half a head', HALF],
  ])('%s are ended when they are too many, the oldest of whoever has the most', async (_, text) => {
    const { port, gate } = await serve();
    gate.open();
    const early = await open(port, '127.0.0.2');
    const many = await openMany(port, '127.0.0.1', text);
    await until('most have ended', () => areOpen(many).length < MOST);
    const late = await open(port, '127.0.0.3');

    expect(areOpen(many)).toEqual(many.slice(-areOpen(many).length));
    for (const socket of [early, late]) {
      const answer = once(socket, 'data');
      socket.write(REQUEST);
      expect(statusOf(String((await answer)[0]))).toBe(200);
    }
  });

  it('have been refused one, and count as long as they last', async () => {
    const { port } = await serve({ ...GATEWAY_LIMITS, seats: 0 });

    const refused = await openMany(port, '127.0.0.1', REQUEST);

    await until('most have ended', () => areOpen(refused).length <= MOST);
  });

  it('have left it, and count again', async () => {
    const { port, gate } = await serve();
    const first = await open(port, '127.0.0.1', REQUEST);
    const answered = once(first, 'data');
    gate.open();
    await answered;

    const many = await openMany(port, '127.0.0.1');
    await until('most have ended', () => areOpen(many).length <= MOST);

    expect(first.destroyed).toBe(true);
  });

  it('end none that have one', async () => {
    const { port, gate } = await serve();
    const seated = await open(port, '127.0.0.1', REQUEST);
    const answer = once(seated, 'data');
    // On one core, the gateway hears of the request before it hears of the others.
    await open(port, '127.0.0.1');

    const many = await openMany(port, '127.0.0.1', HALF);
    await until('most have ended', () => areOpen(many).length <= MOST);

    expect(seated.destroyed).toBe(false);
    gate.open();
    expect(statusOf(String((await answer)[0]))).toBe(200);
  });
});

describe('the head of a request', () => {
  it.each([
    ['short, and leaves room for another one', 1, 200],
    ['long, and counts as long as the request', 15_000, 503],
  ])('is %s', async (_, length, status) => {
    // One address has half of it: two seats, and a few kilobytes.
    const memory = { ...GATEWAY_LIMITS.memory, strangers: 92 * 1_024 };
    const { port, gate } = await serve({ ...GATEWAY_LIMITS, memory });
    const request = REQUEST.replace('Host', `X-Long: ${'x'.repeat(length)}\r\nHost`);
    await open(port, '127.0.0.1', request);

    const answer = once(await open(port, '127.0.0.1', REQUEST), 'data');
    setTimeout(gate.open, 200);

    expect(statusOf(String((await answer)[0]))).toBe(status);
  });
});
