import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../http/listen.js';

/** Items, one per line, or the whole file. */
export type ManifestContent = readonly unknown[] | string | Buffer;

/** Creates a new directory with manifests. */
export function createManifestRoot(files: Readonly<Record<string, ManifestContent>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'manifests-'));
  for (const [name, content] of Object.entries(files)) writeManifest(root, name, content);
  return root;
}

export function writeManifest(root: string, name: string, content: ManifestContent): void {
  const isFile = typeof content === 'string' || Buffer.isBuffer(content);
  writeFileSync(join(root, name), isFile ? content : toLines(content));
}

/** One JSON object per line. */
export function toLines(items: readonly unknown[]): string {
  return items.map((item) => `${JSON.stringify(item)}\n`).join('');
}

export interface FileHost {
  /** Sends the requests for all https hosts to this server. */
  fetch: typeof globalThis.fetch;
  requests: { host: string; path: string; range: string | undefined }[];
  [Symbol.asyncDispose](): Promise<void>;
}

const HOST = 'x-asked-host';

/** Starts a server on loopback in place of all https hosts. It is a real server, so ranges and aborts are real. */
export async function startFileHost(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<FileHost> {
  const requests: FileHost['requests'] = [];
  const server = createServer((request, response) => {
    const { range } = request.headers;
    requests.push({ host: String(request.headers[HOST]), path: request.url ?? '', range });
    answer(request, response);
  });
  const port = await listen(server);
  return {
    requests,
    fetch: (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const headers = new Headers(init?.headers);
      headers.set(HOST, url.host);
      const local = `http://127.0.0.1:${port}${url.pathname}${url.search}`;
      return globalThis.fetch(local, { ...init, headers });
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Serves one content, with ranges. */
export function serveRanges(content: string) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const whole = Buffer.from(content);
    const match = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (match === null) {
      response.writeHead(200, { 'content-length': whole.length }).end(whole);
      return;
    }
    const [from, to] = [Number(match[1]), Math.min(Number(match[2]), whole.length - 1)];
    if (from >= whole.length) {
      response.writeHead(416).end();
      return;
    }
    const range = `bytes ${from}-${to}/${whole.length}`;
    response.writeHead(206, { 'content-range': range }).end(whole.subarray(from, to + 1));
  };
}
