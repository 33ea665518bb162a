import { once } from 'node:events';
import { createServer } from 'node:net';

/** The server listens only here, because it has no authentication. */
export const LOOPBACK = '127.0.0.1';

/**
 * Below the ports that systems use for outgoing connections. Otherwise a client that keeps connecting
 * to a stopped server could itself get the server's port.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
const MAX_TRIES = 100;
/** Ports of this process. A server listens only some time after its port was chosen. */
const claimed = new Set<number>();

/** Something else listens on the port that was asked for, or it is not allowed. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';

  readonly port: number;

  constructor(port: number, cause: unknown) {
    super(`Port ${port} of ${LOOPBACK} cannot be used`, { cause });
    this.port = port;
  }
}

/** Returns the wanted port, or throws when it is taken. Without `wanted` it returns any free port. */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted !== undefined) return claim(wanted);
  for (let tries = 1; ; tries++) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    if (claimed.has(port)) continue;
    try {
      return await claim(port);
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
    }
  }
}

async function claim(port: number): Promise<number> {
  const server = createServer();
  try {
    server.listen(port, LOOPBACK);
    await once(server, 'listening');
    claimed.add(port);
    return port;
  } catch (error) {
    throw new PortTakenError(port, error);
  } finally {
    server.close();
  }
}
