import { once } from 'node:events';
import { createServer } from 'node:net';

/** The server listens here and nowhere else: it has no authentication. */
export const LOOPBACK = '127.0.0.1';

/** The wanted port if it is free, else an error; without a wish, some free port. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer();
  try {
    server.listen(wanted, LOOPBACK);
    await once(server, 'listening');
    const address = server.address();
    return address !== null && typeof address === 'object' ? address.port : wanted;
  } catch (error) {
    throw new Error(`Port ${wanted} of ${LOOPBACK} cannot be used`, { cause: error });
  } finally {
    server.close();
  }
}
