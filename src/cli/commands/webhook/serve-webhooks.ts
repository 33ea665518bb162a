import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';

import { ConfigurationError } from '../../../config.js';
import { codeOf } from '../../output/error-text.js';
import type { WebhookRequest } from './receive-webhook.js';

const MAX_BODY_BYTES = 256 * 1024;
/** For a whole request. */
const REQUEST_MS = 10_000;
/** Open requests have this long to end. */
const END_WITHIN_MS = 1_000;

export interface WebhookServer {
  url: string;
  /** Lets open answers end. */
  close: () => Promise<void>;
}

/**
 * Listens for requests; `handle` returns the status of the answer.
 * @throws ConfigurationError when it cannot listen there
 */
export async function serveWebhooks(
  at: { host: string; port: number },
  handle: (request: WebhookRequest) => Promise<number>,
): Promise<WebhookServer> {
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    void (async () => {
      const read = await readBody(request);
      // Its sender has gone.
      if (!read.ok) return;
      const { method = '', headers } = request;
      const status = await handle({ method, headers, body: read.body });
      // An open connection would hold up the end of the command.
      response.writeHead(status, { connection: 'close', ...(status === 405 && { allow: 'POST' }) });
      response.end();
    })();
  });
  await listen(server, at);
  return { url: urlOf(server), close: () => close(server) };
}

/** Reads to the end what is too large too: a sender that is still writing would miss the answer. */
async function readBody(
  request: IncomingMessage,
): Promise<{ ok: true; body: string | undefined } | { ok: false }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  });
  try {
    await once(request, 'end');
  } catch {
    return { ok: false };
  }
  const isTooLarge = bytes > MAX_BODY_BYTES;
  return { ok: true, body: isTooLarge ? undefined : Buffer.concat(chunks).toString('utf8') };
}

async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const code = codeOf(error) ?? '';
    const reason = LISTEN_FAULTS[code];
    if (reason === undefined) throw error;
    throw new ConfigurationError([`${host}:${port} ${reason} (${code})`]);
  }
}

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another process: choose another --port',
  EADDRNOTAVAIL: 'is no address of this machine: choose another --host',
  EACCES: 'is not allowed for this user: choose a --port above 1023',
  ENOTFOUND: 'is no address: choose another --host',
  EAI_AGAIN: 'is no address: choose another --host',
};

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const rest = setTimeout(() => {
    server.closeAllConnections();
  }, END_WITHIN_MS);
  await closed;
  clearTimeout(rest);
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has no TCP port');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
