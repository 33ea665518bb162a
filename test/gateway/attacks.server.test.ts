import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';

import { until } from '../support/timing/until.js';
import { withMeasuredGateway } from './measured-gateway.js';
import { statusOf } from './send-bytes.js';

const TOKEN = 'a-token-that-nobody-guesses';
const MOST_HELD = 16 * 1_024 * 1_024;
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';

/** Connections which send this and read nothing. */
async function stall(url: string, count: number, text: string) {
  const open = Array.from({ length: count }, () => connect(Number(new URL(url).port), '127.0.0.1'));
  for (const socket of open) {
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause();
    socket.write(text);
  }
  return open;
}

/** The answer to a form of another address. */
async function signInFrom(url: string, localAddress: string): Promise<number> {
  const port = Number(new URL(url).port);
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.write(
    `POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\n${FORM}Content-Length: 7\r\nConnection: close\r\n\r\ntoken=a`,
  );
  let answer = '';
  socket.on('data', (data) => (answer += data.toString()));
  await once(socket, 'close');
  return statusOf(answer);
}

const end = (sockets: Socket[]) => {
  for (const socket of sockets) socket.destroy();
};

describe('a stranger', () => {
  it.each(['/reference', '/openapi.json'])(
    'fills no memory with requests for %s whose answers nobody reads',
    (path) =>
      withMeasuredGateway(TOKEN, async ({ url, usage }) => {
        const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
        // Made before it counts.
        await (await fetch(`${url}${path}`)).text();
        const before = await usage();

        const few = await stall(url, 30, request.repeat(10));
        const many = await stall(url, 3, request.repeat(1_000));
        await Promise.all(many.map((socket) => once(socket.resume(), 'close')));
        const during = await usage();
        const livesAt = performance.now();
        const { status } = await fetch(`${url}/livez`);

        expect(status).toBe(200);
        expect(performance.now() - livesAt).toBeLessThan(2_000);
        expect(during.heldBytes - before.heldBytes).toBeLessThan(MOST_HELD);
        end(few);
      }),
  );

  it('locks nobody of another address out of the sign-in with forms that are half sent', () =>
    withMeasuredGateway(TOKEN, async ({ url }) => {
      const half = `POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\n${FORM}Content-Length: 4000\r\n\r\ntoken=`;
      const open = await stall(url, 300, half);
      await until('the address of the stranger has no seat left', async () => {
        return (await signInFrom(url, '127.0.0.1')) === 503;
      });

      expect(await signInFrom(url, '127.0.0.2')).toBe(401);
      // They have no answer, and nobody waits two minutes for them.
      await until('the stranger has seats again', async () => {
        return (await signInFrom(url, '127.0.0.1')) === 401;
      });
      end(open);
    }));
});

/** A run whose input has almost two megabytes, and which no worker takes. */
async function largeRun(): Promise<{ workflowId: string; end: () => Promise<void> }> {
  const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' });
  const workflowId = `modify-kv-store/default/${randomUUID()}`;
  const items = Array.from({ length: 19 }, (_, at) => ({
    key: `k${at}`,
    value: 'x'.repeat(100_000),
  }));
  const handle = await new Client({ connection }).workflow.start('modifyKvStore', {
    workflowId,
    taskQueue: `none-${workflowId}`,
    args: [{ storeId: 1, items }],
  });
  const end = async (): Promise<void> => {
    await handle.terminate();
    await connection.close();
  };
  return { workflowId, end };
}

describe('a token', () => {
  it('fills no memory with large answers that it does not read', () =>
    withMeasuredGateway(TOKEN, async ({ url, usage }) => {
      const { workflowId, end: endRun } = await largeRun();
      const signedIn = await fetch(`${url}/sign-in`, {
        method: 'POST',
        body: new URLSearchParams({ token: TOKEN }),
        redirect: 'manual',
      });
      const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      const path = `/runs/${encodeURIComponent(workflowId)}/input.json?whole=true`;
      const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookie}\r\n\r\n`;
      const one = await (await fetch(`${url}${path}`, { headers: { cookie } })).text();
      const before = await usage();

      // The buffers of both systems take some of them.
      const open = await stall(url, 60, request.repeat(16));
      await until('the gateway makes no more of them', async () => {
        return (await fetch(`${url}${path}`, { headers: { cookie } })).status === 503;
      });
      const during = await usage();

      expect(one.length).toBeGreaterThan(1_900_000);
      // Half of the bytes that a gateway keeps for answers that nobody reads, and those that are made.
      expect(during.heldBytes - before.heldBytes).toBeLessThan(128 * 1_024 ** 2);
      end(open);
      await endRun();
    }));
});
