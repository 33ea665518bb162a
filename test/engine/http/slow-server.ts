import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { listen } from '../../support/http/listen.js';

/** How a server wastes the time or the memory of its client. */
export const SLOW = {
  'stalled headers': () => undefined,
  'stalled body': (response) => {
    response.writeHead(200).write('{"tasks":');
  },
  'a byte at a time': (response) => {
    response.writeHead(200);
    repeat(response, 200, '[');
  },
  'endless body': (response) => {
    response.writeHead(200);
    repeat(response, 10, Buffer.alloc(50_000, '['));
  },
  'endless refusal': (response) => {
    response.writeHead(422);
    repeat(response, 10, Buffer.alloc(50_000, '['));
  },
  /** A gigabyte in a megabyte. */
  'gzip bomb': (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const block = Buffer.alloc(1024 ** 2, ' ');
    Readable.from(Array.from({ length: 1024 }, () => block))
      .pipe(createGzip())
      .pipe(response);
  },
} as const satisfies Record<string, (response: ServerResponse) => void>;
export type Slowness = keyof typeof SLOW;

export interface SlowServer {
  url: string;
  /** Requests that were read. */
  seen(): number;
  /** Ends when no client is connected any more. */
  untilLeft(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a server on loopback that answers each request in one slow way.
 *
 * @param onSeen called with each request
 */
export async function startSlowServer(
  slowness: Slowness,
  onSeen: () => void = () => undefined,
): Promise<SlowServer> {
  let seen = 0;
  let open = 0;
  const server = createServer((request, response) => {
    seen += 1;
    open += 1;
    onSeen();
    response.on('close', () => {
      open -= 1;
      if (open === 0) server.emit('left');
    });
    request.resume().on('end', () => {
      SLOW[slowness](response);
    });
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    seen: () => seen,
    untilLeft: async () => {
      if (open > 0) await once(server, 'left');
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function repeat(response: ServerResponse, everyMs: number, data: string | Buffer): void {
  const timer = setInterval(() => response.write(data), everyMs);
  response.on('close', () => {
    clearInterval(timer);
  });
}
