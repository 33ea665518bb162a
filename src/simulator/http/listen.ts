import { once } from 'node:events';
import type { Server } from 'node:http';

import { createAdaptorServer } from '@hono/node-server';

import type { Exchange } from './exchange.js';
import type { Outcome } from './outcome.js';

export interface ListenOptions {
  /** Loopback when left out. */
  host?: string;
  /** A free port when left out. */
  port?: number;
}

export interface Listener {
  readonly url: string;
  /** Ends hanging connections too. */
  close(): Promise<void>;
}

/** Puts the simulator on a port. The only file that knows sockets. */
export async function listen(
  exchange: Exchange,
  { host = '127.0.0.1', port = 0 }: ListenOptions = {},
): Promise<Listener> {
  const server = createAdaptorServer({
    // The adapter would replace Request and Response in the whole process, the client's included.
    overrideGlobalObjects: false,
    fetch: async (request, { incoming }) => {
      const outcome = await exchange(request);
      if (outcome.kind === 'dropped') incoming.socket.destroy();
      return answerOf(outcome);
    },
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    url: urlOf(server),
    async close() {
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}

function answerOf(outcome: Outcome): Promise<Response> {
  if (outcome.kind === 'answered') return Promise.resolve(outcome.response);
  return new Promise(() => {
    // Stays open: the connection is gone already, or hangs until one side ends it.
  });
}

function urlOf(server: Pick<Server, 'address'>): string {
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The simulator listens on no TCP port');
  }
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
