import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** One thing that a process needs. `text` is for a person, and holds nothing secret. */
export interface HealthCheck {
  name: string;
  ok: boolean;
  text: string;
}

/** What a process says about itself. Answers at once or within some seconds, whoever asks how often. */
export interface Health {
  /** Empty as long as the process can go on. Not ok: only a restart helps. */
  live: () => HealthCheck[];
  /** Everything that it needs to take work. */
  ready: () => Promise<HealthCheck[]>;
}

export interface HealthServer {
  port: number;
  close: () => Promise<void>;
}

const MAX_CONNECTIONS = 50;
const REQUEST_MS = 5_000;

/**
 * Serves `/livez` and `/readyz` in the way of Kubernetes: 200 or 503, and with `?verbose` each check as JSON.
 * A process whose event loop is stuck does not answer, so its probe fails too.
 */
export async function serveHealth(
  health: Health,
  { host, port }: { host: string; port: number },
): Promise<HealthServer> {
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, maxHeaderSize: 8_192 },
    (request, response) => {
      answer(health, request, response).catch(() => {
        response.destroy();
      });
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.keepAliveTimeout = REQUEST_MS;
  server.listen(port, host);
  await once(server, 'listening');
  // The port alone must not keep a process alive that has ended.
  server.unref();
  return { port: portOf(server), close: () => close(server) };
}

async function answer(
  health: Health,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || (pathname !== '/livez' && pathname !== '/readyz')) {
    send(response, isRead ? 404 : 405, { type: 'text/plain', text: 'no such path\n' });
    return;
  }
  const checks = pathname === '/livez' ? health.live() : await health.ready();
  const isOk = checks.every(({ ok }) => ok);
  const body = searchParams.has('verbose')
    ? { type: 'application/json', text: `${JSON.stringify({ ok: isOk, checks }, undefined, 2)}\n` }
    : { type: 'text/plain', text: isOk ? 'ok\n' : toLines(checks) };
  send(response, isOk ? 200 : 503, body);
}

function send(
  response: ServerResponse,
  status: number,
  { type, text }: { type: string; text: string },
): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
}

function toLines(checks: readonly HealthCheck[]): string {
  return checks
    .filter(({ ok }) => !ok)
    .map(({ name, text }) => `${name}: ${text}\n`)
    .join('');
}

function portOf(server: Server): number {
  const address = server.address();
  return address === null || typeof address === 'string' ? 0 : address.port;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
