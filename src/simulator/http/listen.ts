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
  /** Closes hanging connections too. */
  close(): Promise<void>;
}

/** Serves the simulator on a port. Only this file knows sockets. */
export async function listen(
  exchange: Exchange,
  { host = '127.0.0.1', port = 0 }: ListenOptions = {},
): Promise<Listener> {
  const server = createAdaptorServer({
    // By default the adapter replaces Request and Response in the whole process, also for the client.
    overrideGlobalObjects: false,
    fetch: async (request, { incoming }) => {
      const outcome = await exchange(request);
      if (outcome.kind === 'dropped') incoming.socket.destroy();
      return toResponse(outcome);
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

function toResponse(outcome: Outcome): Promise<Response> {
  if (outcome.kind === 'answered') return Promise.resolve(outcome.response);
  return new Promise(() => {
    // Never settles: the connection is already gone, or hangs until one side ends it.
  });
}

function urlOf(server: Pick<Server, 'address'>): string {
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The simulator does not listen on a TCP port');
  }
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
