import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

import { getRequestListener } from '@hono/node-server';
import type { Logger } from '@temporalio/common';

import { createConnections } from './connections.js';
import { GatheredMessage } from './gathered-message.js';
import { FileFaultError } from '../files/fresh-file.js';
import { readableByOthers } from '../files/readable-by-others.js';
import type { GatewayApp } from './gateway-context.js';
import { MOST_HEADERS } from './refuse-heads.js';
import { isLoopback } from '../contract/wire/address.js';
import type { Front } from './middleware.js';
import { openTokenStore, type TokenStore } from './tokens.js';

/** An app, as a function from request to response. */
type Served = Pick<GatewayApp, 'fetch'>;

export interface ServeOptions {
  host: string;
  /** 0 is any free port. */
  port: number;
  /** Serves `/livez` and `/readyz` on a port of their own too. */
  healthPort?: number | undefined;
  limits?: Partial<ServerLimits>;
}

export interface ServerLimits {
  /** For the headers of a request. */
  headersMs: number;
  /** For a whole request with its body. The answer may take longer. */
  requestMs: number;
  /** How often the two are checked. */
  checkMs: number;
  /** How long a connection without a request stays open. */
  idleMs: number;
  /** How long a reader may take nothing of an answer. */
  unreadMs: number;
  /** Connections whose requests have no seat. */
  withoutSeat: number;
  /** Requests of all connections that wait for the answers before them. */
  waiting: number;
}

const LIMITS: ServerLimits = {
  headersMs: 10_000,
  // An upload of 64 MiB over a slow line.
  requestMs: 120_000,
  checkMs: 2_000,
  idleMs: 65_000,
  unreadMs: 60_000,
  withoutSeat: 1_000,
  waiting: 500,
};

/** Open answers have this long to end. */
export const END_WITHIN_MS = 10_000;

export interface GatewayServer {
  url: string;
  /** With a port for health. */
  healthUrl?: string;
  /** Takes no new connections, lets open answers end, and ends the rest after a while. */
  close: () => Promise<void>;
}

/** Serves the gateway on a port. */
export async function serveGateway(
  app: Served,
  { host, port, healthPort, limits }: ServeOptions,
): Promise<GatewayServer> {
  const all = { ...LIMITS, ...limits };
  const server = await openServer(app, { host, port }, all);
  if (healthPort === undefined) return { url: urlOf(server), close: () => close(server) };
  const probed = { ...all, withoutSeat: MOST_PROBES };
  const health = await openServer(healthOf(app), { host, port: healthPort }, probed).catch(
    async (error: unknown) => {
      await close(server);
      throw error;
    },
  );
  return {
    url: urlOf(server),
    healthUrl: urlOf(health),
    async close() {
      await close(server);
      await close(health);
    },
  };
}

/** Node accepts one connection of a port in a turn of its loop: behind many that have come at once, a probe would be late. */
function healthOf(app: Served): Served {
  return {
    fetch: (request, env) =>
      HEALTH_PATHS.has(new URL(request.url).pathname)
        ? app.fetch(request, env)
        : new Response(null, { status: 404 }),
  };
}

/** None of them needs a seat. */
const MOST_PROBES = 50;
const HEALTH_PATHS: ReadonlySet<string> = new Set(['/livez', '/readyz']);

async function openServer(
  app: Served,
  { host, port }: { host: string; port: number },
  limits: ServerLimits,
): Promise<Server> {
  const { headersMs, requestMs, checkMs, idleMs, withoutSeat, waiting } = limits;
  const connections = createConnections(withoutSeat);
  const answer = getRequestListener(
    (request, env) =>
      app.fetch(request, { ...env, sitDown: connections.seatFor(env.incoming.socket) }),
    { overrideGlobalObjects: false },
  );
  const listener = oneAtATime(answer, waiting);
  const server = createServer(
    {
      IncomingMessage: GatheredMessage,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkMs,
      keepAliveTimeout: idleMs,
      maxHeaderSize: 16_384,
    },
    listener,
  );
  // Node would answer it at once, however many answers of the connection nobody has read.
  server.on('checkExpectation', listener);
  // Some versions of Node let the others go without a word: one more says that there are more.
  server.maxHeadersCount = MOST_HEADERS + 1;
  server.on('connection', connections.add);
  server.listen(port, host);
  await once(server, 'listening');
  endUnread(server, limits);
  return server;
}

/** The answers of a connection that nobody reads stay in memory. Node has no limit of its own for this. */
function endUnread(server: Server, { checkMs, unreadMs }: ServerLimits): void {
  const open = new Map<Socket, { taken: number; since: number }>();
  server.on('connection', (socket) => {
    open.set(socket, { taken: 0, since: performance.now() });
    socket.once('close', () => open.delete(socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, { taken, since }] of open) {
      const all = socket.bytesWritten - socket.writableLength;
      const isStuck = socket.writableLength > 0 && all === taken;
      if (!isStuck) open.set(socket, { taken: all, since: now });
      else if (now - since > unreadMs) socket.destroy();
    }
  }, checkMs);
  server.once('close', () => {
    clearInterval(timer);
  });
}

type Asked = Parameters<RequestListener>;

/** Requests of one connection that wait for the answers before them. No client that we know sends so many. */
const MOST_OF_ONE = 16;

/**
 * Hands on a request of a connection when the answers before it have been read. Node hands on all that have come, which
 * may be a thousand in one packet, and keeps their answers in memory until somebody reads them.
 *
 * @param most that wait in all connections: before them may be a stream, which takes an hour, and each has some kilobytes
 */
function oneAtATime(answer: (...asked: Asked) => Promise<unknown>, most: number): RequestListener {
  const lines = new WeakMap<Socket, Asked[]>();
  let waiting = 0;
  const begin = ([request, response]: Asked): void => {
    const { socket } = request;
    response.once('close', () => {
      const line = lines.get(socket) ?? [];
      const next = socket.destroyed ? undefined : line.shift();
      waiting -= next === undefined ? line.length : 1;
      if (next === undefined) lines.delete(socket);
      else begin(next);
    });
    answer(request, response).catch(() => response.destroy());
  };
  return (request, response) => {
    const { socket } = request;
    // What is left of the packet that has ended its connection.
    if (socket.destroyed) return;
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, []);
      begin([request, response]);
    } else if (line.length < MOST_OF_ONE && waiting < most) {
      waiting += 1;
      line.push([request, response]);
    } else socket.destroy();
  };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A connection that is kept alive between two requests would hold the end up.
  const idle = setInterval(() => {
    server.closeIdleConnections();
  }, 100);
  const rest = setTimeout(() => {
    server.closeAllConnections();
  }, END_WITHIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(rest);
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The gateway does not listen on a TCP port');
  }
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

/** Where a server listens, and who may call it. */
export interface ServedAt extends Front {
  host: string;
  port: number;
  /** Serves `/livez` and `/readyz` too. */
  healthPort?: number | undefined;
  /** File with the tokens. */
  tokens?: string | undefined;
  onListening: (url: string) => void;
  signal: AbortSignal;
}

/** Thrown when the gateway cannot start as it is configured. Names every fault. */
export class GatewayConfigError extends Error {
  override readonly name = 'GatewayConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.faults = faults;
  }
}

/** Serves `app` until the signal. @throws GatewayConfigError when the port is taken */
export async function serveUntil(
  app: Served,
  { host, port, healthPort, onListening, signal }: ServedAt,
): Promise<void> {
  const server = await listen(app, { host, port, healthPort });
  onListening(server.url);
  await aborted(signal);
  await server.close();
}

/** The tokens, if there is a file. @throws GatewayConfigError */
export async function openTokens(
  { host, tokens: file }: ServedAt,
  logger: Logger,
): Promise<TokenStore | undefined> {
  if (file === undefined) {
    if (isLoopback(host)) return undefined;
    throw new GatewayConfigError([
      `--host ${host} needs --tokens FILE: without tokens everybody who reaches this machine could call it`,
    ]);
  }
  const onFault = (fault: string): void => {
    logger.error(`The token file ${fault}. The tokens before it stay valid.`);
  };
  try {
    const store = await openTokenStore({ file, onFault });
    warnIfOpen(file, logger);
    return store;
  } catch (error) {
    if (!(error instanceof FileFaultError)) throw error;
    throw new GatewayConfigError(error.faults.map((fault) => `--tokens ${file}: ${fault}`));
  }
}

/** Says so when others may read this file of secrets. */
export function warnIfOpen(file: string, logger: Logger): void {
  const notice = readableByOthers(file);
  if (notice !== undefined) logger.warn(notice);
}

async function listen(app: Served, at: ServeOptions): Promise<GatewayServer> {
  try {
    return await serveGateway(app, at);
  } catch (error) {
    const code = String(Reflect.get(Object(error), 'code'));
    const reason = LISTEN_FAULTS[code];
    if (reason === undefined) throw error;
    const isOfHealth =
      at.healthPort !== undefined && Reflect.get(Object(error), 'port') === at.healthPort;
    const [port, option] = isOfHealth ? [at.healthPort, '--health-port'] : [at.port, '--port'];
    const fault = `${at.host}:${port} ${reason} (${code})`;
    throw new GatewayConfigError([fault.replace('--port', option)]);
  }
}

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another process: choose another --port',
  EADDRNOTAVAIL: 'is no address of this machine: choose another --host',
  EACCES: 'is not allowed for this user: choose a --port above 1023',
  ENOTFOUND: 'is no address: choose another --host',
  EAI_AGAIN: 'is no address: choose another --host',
};

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else {
      signal.addEventListener('abort', () => {
        resolve();
      });
    }
  });
}
