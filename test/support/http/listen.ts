import { once } from 'node:events';
import type { Server } from 'node:net';

/** Lets a server listen on any free port of loopback. @returns the port */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return address.port;
}
