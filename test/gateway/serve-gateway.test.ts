import { once } from 'node:events';
import { connect } from 'node:net';

import { describe, expect, it } from '@jest/globals';

import { GATEWAY_LIMITS } from '../../src/gateway/admission.js';
import type { ServerBindings } from '../../src/gateway/gateway-context.js';
import { PACE } from '../../src/gateway/read-body.js';
import { serveGateway } from '../../src/gateway/serve-gateway.js';
import { until } from '../support/timing/until.js';
import { bodyApp } from './body-app.js';
import { sendBytes, statusOf } from './send-bytes.js';

const LOCAL = { host: '127.0.0.1', port: 0 };
const requestsOf = (count: number, last = '') =>
  Array.from(
    { length: count },
    (_, at) => `GET /${at} HTTP/1.1\r\nHost: a\r\n${at === count - 1 ? last : ''}\r\n`,
  ).join('');

const LIVEZ = 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** Answers with its path, and counts how many it answers at once. */
function countingApp(answer: (path: string) => string) {
  const seen = { now: 0, most: 0, all: 0 };
  const fetch = async (request: Request): Promise<Response> => {
    seen.all += 1;
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    await new Promise((resolve) => setImmediate(resolve));
    seen.now -= 1;
    return new Response(answer(new URL(request.url).pathname));
  };
  return { fetch, seen };
}

describe('requests that one connection sends without waiting', () => {
  it('are answered one after the other, in their order', async () => {
    const { fetch, seen } = countingApp((path) => `[${path}]`);
    const server = await serveGateway({ fetch }, LOCAL);

    const answers = await sendBytes(server.url, requestsOf(10, 'Connection: close\r\n'));

    expect(answers.match(/\[.*?\]/g)).toEqual(Array.from({ length: 10 }, (_, at) => `[/${at}]`));
    expect(seen).toEqual({ now: 0, most: 1, all: 10 });
    await server.close();
  });

  it('are not begun before somebody reads, and end with their connection', async () => {
    // More than the buffers of both ends take.
    const { fetch, seen } = countingApp(() => 'x'.repeat(16 * 1_024 ** 2));
    const server = await serveGateway({ fetch }, LOCAL);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.pause();
    socket.write(requestsOf(10));
    await until('the first one is answered', () => seen.all > 0 && seen.now === 0);
    const before = seen.all;
    socket.destroy();
    const other = await sendBytes(server.url, requestsOf(1, 'Connection: close\r\n'));

    expect([before, statusOf(other)]).toEqual([1, 200]);
    await server.close();
    expect(seen.all).toBe(2);
  });

  it('cost their connection when they are many', async () => {
    const { fetch, seen } = countingApp(() => 'x');
    const server = await serveGateway({ fetch }, LOCAL);

    await sendBytes(server.url, requestsOf(1_000));

    expect(seen.all).toBeLessThan(3);
    await server.close();
  });
});

describe('health on a port of its own', () => {
  it('is told while hundreds wait to be accepted, one in a turn of the loop', async () => {
    const fetch = () => Promise.resolve(new Response('x'));
    const server = await serveGateway({ fetch }, { ...LOCAL, healthPort: 0 });
    const port = Number(new URL(server.url).port);
    const others = Array.from({ length: 300 }, () => connect(port, '127.0.0.1'));
    for (const other of others) other.on('error', () => undefined);
    const seen = { turns: 0 };
    const count = (): void => {
      seen.turns += 1;
      turn = setImmediate(count);
    };
    let turn = setImmediate(count);
    const answer = await sendBytes(server.healthUrl ?? server.url, LIVEZ);
    clearImmediate(turn);

    expect(statusOf(answer)).toBe(200);
    expect(seen.turns).toBeLessThan(others.length / 2);
    for (const other of others) other.destroy();
    await server.close();
  });

  it('is all that is told there', async () => {
    const fetch = () => Promise.resolve(new Response('x'));
    const server = await serveGateway({ fetch }, { ...LOCAL, healthPort: 0 });

    const answer = await sendBytes(server.healthUrl ?? '', LIVEZ.replace('livez', 'v1/runs'));

    expect(statusOf(answer)).toBe(404);
    await server.close();
  });

  it('leaves no port open when its own is taken', async () => {
    const fetch = () => Promise.resolve(new Response('x'));
    const first = await serveGateway({ fetch }, LOCAL);
    const { port } = new URL(first.url);
    await first.close();
    const at = { ...LOCAL, port: Number(port), healthPort: Number(port) };

    await expect(serveGateway({ fetch }, at)).rejects.toThrow('EADDRINUSE');
    const again = await serveGateway({ fetch }, { ...LOCAL, port: Number(port) });
    await again.close();
  });
});

describe('an answer that nobody reads', () => {
  it('costs its caller the connection after a while', async () => {
    let isClosed = false;
    const fetch = (_: Request, env: Partial<ServerBindings> = {}) => {
      env.outgoing?.once('close', () => (isClosed = true));
      // More than the buffers of both ends take.
      return Promise.resolve(new Response('x'.repeat(16 * 1_024 ** 2)));
    };
    const limits = { unreadMs: 300, checkMs: 100 };
    const server = await serveGateway({ fetch }, { ...LOCAL, limits });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => undefined).pause();
    socket.write(requestsOf(1));

    await until('the gateway lets go of it', () => isClosed);

    expect(socket.bytesRead).toBeLessThan(16 * 1_024 ** 2);
    socket.destroy();
    await server.close();
  });
});

describe('requests that wait in many connections', () => {
  it('are limited together, however long the answers before them take', async () => {
    const held: AbortController[] = [];
    let isHeld = true;
    const fetch = async () => {
      const end = new AbortController();
      held.push(end);
      if (isHeld) await once(end.signal, 'abort');
      return new Response('x');
    };
    const server = await serveGateway({ fetch }, { ...LOCAL, limits: { waiting: 20 } });
    const open = () => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.on('error', () => undefined).resume();
      socket.write(requestsOf(11));
      return socket;
    };
    const most = [open(), open()];
    await until('they wait', () => held.length === 2);

    await once(open(), 'close');
    expect(most.map(({ destroyed }) => destroyed)).toEqual([false, false]);

    isHeld = false;
    most[0]?.destroy();
    for (const end of held) end.abort();
    // The places of both are free again: of the one that has gone, and of the one that is answered.
    await until('as many may wait', async () => {
      const answers = await Promise.all(
        most.map(() => sendBytes(server.url, requestsOf(11, 'Connection: close\r\n'))),
      );
      return answers.every((all) => all.match(/ 200 OK/g)?.length === 11);
    });
    await server.close();
  });
});

describe('a body', () => {
  const slow = { ms: 150, bytes: 10_000 };
  const head = (length: number) =>
    `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;

  it('that stands still costs its caller the request, and nobody a seat for long', async () => {
    const { app, bodies } = bodyApp({ pace: slow });
    const server = await serveGateway(app, LOCAL);

    const answer = await sendBytes(server.url, head(10), 'to');

    expect(statusOf(answer)).toBe(408);
    expect(answer).toContain('"code":"TooSlow"');
    expect(bodies).toEqual([]);
    await server.close();
  });

  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const chunkedHead = head(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked');
  it.each([
    ['', { begin: head(20_000), part: (text: string) => text, end: '' }],
    [' without telling its length', { begin: chunkedHead, part: chunk, end: chunk('') }],
  ])(
    'that comes%s is taken to its end when it is refused, so that its caller reads why',
    async (_, { begin, part, end }) => {
      let refused = 0;
      // One seat, and no body.
      const memory = { ...GATEWAY_LIMITS.memory, strangers: 50_000 };
      const { app } = bodyApp({
        limits: { ...GATEWAY_LIMITS, memory },
        onRefused: () => (refused += 1),
      });
      const server = await serveGateway(app, LOCAL);
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      let answers = '';
      socket.on('error', () => undefined);
      socket.on('data', (data) => (answers += data.toString()));
      socket.write(begin.replace('close', 'keep-alive') + part('x'.repeat(10_000)));
      await until('it is refused', () => refused > 0);
      for (let others = 0; others < 20; others++) {
        await sendBytes(server.url, requestsOf(1, 'Connection: close\r\n'));
      }
      // The gateway is busy then, for longer than the server below it waits for a body that nobody reads.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800);
      socket.write(part('x'.repeat(10_000)) + end + head(1) + 'x');
      await once(socket, 'close');

      expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 503', 'HTTP/1.1 200']);
      await server.close();
    },
  );

  it('is taken to its end where it turns out to be too long, so that its caller reads why at once', async () => {
    const { app } = bodyApp();
    const server = await serveGateway(app, LOCAL);
    const began = performance.now();

    const answer = await sendBytes(
      server.url,
      chunkedHead,
      chunk('x'.repeat(1_024 ** 2)).repeat(8),
      '0\r\n\r\n',
    );

    expect(statusOf(answer)).toBe(413);
    expect(performance.now() - began).toBeLessThan(PACE.ms / 2);
    await server.close();
  });

  it('that has no end is not taken to it when it is refused', async () => {
    const pace = { ...slow, ms: 600_000 };
    const { app } = bodyApp({ pace, limits: { ...GATEWAY_LIMITS, seats: 0 } });
    const server = await serveGateway(app, LOCAL);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => undefined).resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const began = performance.now();
    socket.write(chunkedHead.replace('close', 'keep-alive'));
    const part = chunk('x'.repeat(1_024 ** 2));
    while (!socket.destroyed)
      if (!socket.write(part))
        await Promise.race([once(socket, 'drain'), closed]).catch(() => socket.destroy());

    // A whole request may take 120 s.
    expect(performance.now() - began).toBeLessThan(60_000);
    await server.close();
  });

  it('that comes byte by byte has no more time than one that stands still', async () => {
    const { app, bodies } = bodyApp({ pace: slow });
    const server = await serveGateway(app, LOCAL);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const trickle = setInterval(() => socket.write('x'), slow.ms / 10);
    let answer = '';
    socket.on('error', () => undefined);
    socket.on('data', (data) => (answer += data.toString()));
    socket.write(head(10_000));
    await once(socket, 'close');
    clearInterval(trickle);

    expect(answer).toContain('"code":"TooSlow"');
    expect(bodies).toEqual([]);
    await server.close();
  });

  it('that comes at its pace may take longer than the time without a byte', async () => {
    const { app, bodies } = bodyApp({ pace: slow });
    const server = await serveGateway(app, LOCAL);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(head(100_000));
    let sent = 0;
    const steps = setInterval(() => {
      socket.write('x'.repeat(10_000));
      sent += 10_000;
      if (sent === 100_000) clearInterval(steps);
    }, slow.ms / 3);
    const data: unknown[] = await once(socket, 'data');

    expect([statusOf(String(data[0])), bodies]).toEqual([200, [100_000]]);
    await server.close();
  });
});
