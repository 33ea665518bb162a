import { once } from 'node:events';

import { createAdaptorServer } from '@hono/node-server';
import { listen } from './listen.js';

/** What happens to a call on its way; when it fails, the connection breaks. */
export type Line = (request: Request) => Promise<Response>;

export interface OpenLine {
  readonly url: string;
  close: () => Promise<void>;
}

/** Headers that belong to one connection, so they are not passed on. */
const HOP_HEADERS = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'];

/** A port whose calls go to `target` by this line. */
export async function openLine(target: string, line: Line): Promise<OpenLine> {
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    fetch: async (request, { incoming }) => {
      try {
        return await line(await redirect(request, target));
      } catch {
        incoming.socket.destroy();
        return new Response();
      }
    },
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}

async function redirect(request: Request, target: string): Promise<Request> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  for (const name of HOP_HEADERS) headers.delete(name);
  const { method, signal } = request;
  return new Request(`${target}${pathname}${search}`, {
    method,
    headers,
    signal,
    ...(method !== 'GET' && { body: await request.arrayBuffer() }),
  });
}
