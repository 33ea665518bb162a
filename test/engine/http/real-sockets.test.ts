import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';

import { createApiClient } from '../../../src/activities/index.js';
import { taskIdsSchema } from '../../../src/contract/api/cloud.js';
import { BODY, startBadServer, type BadServer, type Behaviour } from './bad-server.js';
import { inActivity } from '../../support/http/in-activity.js';
import { createSelfSigned } from '../../support/http/self-signed.js';

const servers: BadServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(...options: Parameters<typeof startBadServer>): Promise<BadServer> {
  const server = await startBadServer(...options);
  servers.push(server);
  return server;
}

/** Sends a mutation with Node's own `fetch`. Returns `accepted`, or type and message of its failure. */
async function post(baseUrl: string, timeoutMs = 5_000) {
  const api = createApiClient({ baseUrl, apiKey: 'key-4711', timeoutMs });
  const request = { method: 'POST', path: '/cloud/v2/things', repeatable: false } as const;
  try {
    await inActivity(() =>
      api.request({ ...request, body: JSON.parse(BODY), response: taskIdsSchema }),
    );
    return { type: 'accepted', message: '' };
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    return { type: error.type, message: error.message };
  }
}

const NOT_SENT = 'ServiceUnavailable';
const UNKNOWN = 'OutcomeUnknown';
const answer = (body: string, length = body.length): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;
const GOOD = answer('{"tasks":["t-1"]}');

describe('nothing was sent', () => {
  it('to a port that nobody listens on', async () => {
    const server = await start({});
    await server.close();

    const { type, message } = await post(`http://127.0.0.1:${server.port}`);

    expect(type).toBe(NOT_SENT);
    expect(message).toContain('could not be sent (ECONNREFUSED)');
  });

  it('to a name with two addresses that nobody listens on', async () => {
    const server = await start({});
    await server.close();

    const { type } = await post(`http://localhost:${server.port}`);

    expect(type).toBe(NOT_SENT);
  });

  it('to a host that does not exist', async () => {
    const { type, message } = await post('https://nobody.invalid');

    expect(type).toBe(NOT_SENT);
    expect(message).toMatch(/could not be sent \((ENOTFOUND|EAI_AGAIN)\)/);
  });

  it('when the certificate is self-signed', async () => {
    const server = await start({ onRequest: (socket) => socket.end(GOOD) }, createSelfSigned());

    const { type, message } = await post(`https://127.0.0.1:${server.port}`);

    expect(type).toBe(NOT_SENT);
    expect(message).toContain('could not be sent (DEPTH_ZERO_SELF_SIGNED_CERT)');
    expect(server.seen()).toBe(0);
  });
});

const afterRequest = (act: (socket: Socket) => unknown): Behaviour => ({
  onRequest: (socket) => {
    act(socket);
  },
});

/** Servers that may have handled the request; `seen`: how often they read it. */
const LOST: { title: string; behaviour: Behaviour; seen: number }[] = [
  {
    title: 'closes at once, without reading',
    behaviour: { onConnection: (socket) => socket.destroy() },
    seen: 0,
  },
  {
    title: 'resets at once, without reading',
    behaviour: { onConnection: (socket) => socket.resetAndDestroy() },
    seen: 0,
  },
  {
    title: 'resets after reading',
    behaviour: afterRequest((socket) => socket.resetAndDestroy()),
    seen: 1,
  },
  { title: 'closes after reading', behaviour: afterRequest((socket) => socket.end()), seen: 1 },
  {
    title: 'closes within the headers',
    behaviour: afterRequest((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le')),
    seen: 1,
  },
  {
    title: 'closes after the headers',
    behaviour: afterRequest((socket) => socket.end(answer('', 17))),
    seen: 1,
  },
  {
    title: 'closes after headers without a length',
    behaviour: afterRequest((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')),
    seen: 1,
  },
  {
    title: 'closes in the middle of the body',
    behaviour: afterRequest((socket) => socket.end(answer('{"tasks":', 17))),
    seen: 1,
  },
  {
    title: 'resets in the middle of the body',
    behaviour: afterRequest((socket) =>
      socket.write(answer('{"tasks":', 17), () => socket.resetAndDestroy()),
    ),
    seen: 1,
  },
  {
    title: 'answers with something other than HTTP',
    behaviour: afterRequest((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')),
    seen: 1,
  },
];

describe('the outcome is unknown when a server', () => {
  it.each(LOST)('$title', async ({ behaviour, seen }) => {
    const server = await start(behaviour);

    const { type, message } = await post(`http://127.0.0.1:${server.port}`);

    expect(type).toBe(UNKNOWN);
    expect(message).not.toContain('no answer in time');
    expect(server.seen()).toBe(seen);
  });

  it('has no TLS: the same error may follow a request', async () => {
    const server = await start({
      onData: (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    });

    const { type, message } = await post(`https://127.0.0.1:${server.port}`);

    expect(type).toBe(UNKNOWN);
    expect(message).toMatch(/its answer was lost \(ERR_SSL_\w+\)/);
    expect(server.received()).not.toBe('');
    expect(server.seen()).toBe(0);
  });

  it('never answers', async () => {
    const server = await start({});

    // Longer than a busy machine needs to read the request.
    const { type, message } = await post(`http://127.0.0.1:${server.port}`, 2_000);

    expect(type).toBe(UNKNOWN);
    expect(message).toContain('no answer in time');
    expect(server.seen()).toBe(1);
  });

  it('ends a TLS handshake silently, which looks like a later end', async () => {
    const server = await start({ onData: (socket) => socket.end() });

    const { type } = await post(`https://127.0.0.1:${server.port}`);

    expect(type).toBe(UNKNOWN);
    expect(server.seen()).toBe(0);
  });
});

describe('a kept-alive connection', () => {
  it('is replaced when the server has closed it between two requests', async () => {
    const server = await start({
      onRequest: (socket) => {
        socket.write(GOOD);
        setTimeout(() => socket.end(), 20);
      },
    });
    const url = `http://127.0.0.1:${server.port}`;
    const first = await post(url);
    await delay(100);

    const second = await post(url);

    expect([first.type, second.type]).toEqual(['accepted', 'accepted']);
    expect(server.seen()).toBe(2);
  });

  it.each(['end', 'resetAndDestroy'] as const)(
    'leaves the second request unknown when the server closes it on reading (%s)',
    async (end) => {
      const server = await start({
        onRequest: (socket, count) => {
          if (count === 1) socket.write(GOOD);
          else socket[end]();
        },
      });
      const url = `http://127.0.0.1:${server.port}`;
      const first = await post(url);
      // A connection becomes free for the next request a moment after its answer.
      await delay(50);

      const second = await post(url);

      expect([first.type, second.type]).toEqual(['accepted', UNKNOWN]);
      // No lower layer repeats the request on another connection.
      expect(server.seen()).toBe(2);
    },
  );

  it('leaves no wrong outcome when it ends during the next request', async () => {
    const server = await start({
      onRequest: (socket) => socket.write(GOOD, () => socket.resetAndDestroy()),
    });
    const url = `http://127.0.0.1:${server.port}`;
    const ends: { type: string | null | undefined; seen: number }[] = [];
    for (let i = 0; i < 50; i++) {
      const before = server.seen();
      const { type } = await post(url);
      ends.push({ type, seen: server.seen() - before });
    }

    expect(ends.filter(({ seen }) => seen > 1)).toEqual([]);
    expect(ends.filter(({ type, seen }) => type === NOT_SENT && seen > 0)).toEqual([]);
    expect(ends.filter(({ type, seen }) => type === 'accepted' && seen !== 1)).toEqual([]);
  });
});
