import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import tls from 'node:tls';
import { listen } from '../../support/http/listen.js';

/** How a server treats a connection. `onRequest` runs for each request that the server has read completely. */
export interface Behaviour {
  onConnection?: (socket: Socket) => void;
  onData?: (socket: Socket) => void;
  onRequest?: (socket: Socket, count: number) => void;
}

export interface BadServer {
  port: number;
  /** Requests whose first line has been read. */
  seen(): number;
  /** Everything that was read, as Latin-1 text. */
  received(): string;
  close(): Promise<void>;
}

/** The body of every request of the tests. */
export const BODY = '{"name":"one"}';

/** Starts a server on loopback, over TCP or TLS, with the given misbehaviour. */
export async function startBadServer(
  behaviour: Behaviour,
  certificate?: { key: string; cert: string },
): Promise<BadServer> {
  const sockets = new Set<Socket>();
  let text = '';
  const handle = (socket: Socket): void => {
    socket.on('error', ignore);
    if (behaviour.onConnection !== undefined) {
      behaviour.onConnection(socket);
      return;
    }
    let complete = 0;
    let own = '';
    socket.on('data', (data: Buffer) => {
      const chunk = data.toString('latin1');
      text += chunk;
      own += chunk;
      behaviour.onData?.(socket);
      const count = own.split(BODY).length - 1;
      while (complete < count) {
        complete += 1;
        behaviour.onRequest?.(socket, complete);
      }
    });
  };
  const server =
    certificate === undefined ? createServer(handle) : tls.createServer(certificate, handle);
  // The raw sockets, including those of failed handshakes.
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', ignore)));
  server.on('tlsClientError', ignore);
  return {
    port: await listen(server),
    seen: () => text.split('POST /cloud').length - 1,
    received: () => text,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

function ignore(): void {
  // The test breaks the connection on purpose.
}
