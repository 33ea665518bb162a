import { once } from 'node:events';
import { createServer } from 'node:net';

/** The server listens here and nowhere else: it has no authentication. */
export const LOOPBACK = '127.0.0.1';

/**
 * Below the ports that systems take for outgoing connections: whoever keeps asking for a server
 * that is away would in the end be given that server's own port.
 */
const FIRST = 20_000;
const LAST = 32_000;
const TRIES = 100;
/** Given out by this process: a server listens only a while after its port has been chosen. */
const given = new Set<number>();

/** The wanted port if it is free, else an error; without a wish, some free port. */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted !== undefined) return claim(wanted);
  for (let tries = 1; ; tries++) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (given.has(port)) continue;
    try {
      return await claim(port);
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}

async function claim(port: number): Promise<number> {
  const server = createServer();
  try {
    server.listen(port, LOOPBACK);
    await once(server, 'listening');
    given.add(port);
    return port;
  } catch (error) {
    throw new Error(`Port ${port} of ${LOOPBACK} cannot be used`, { cause: error });
  } finally {
    server.close();
  }
}
