import type { Logger } from '@temporalio/common';

import { FileFaultError } from '../files/fresh-file.js';
import { readableByOthers } from '../files/readable-by-others.js';
import { isLoopback, type Front } from './middleware.js';
import { serveGateway, type GatewayServer, type Served } from './serve-gateway.js';
import { openTokenStore, type TokenStore } from './tokens/token-store.js';

/** Where a server listens, and who may call it. */
export interface ServedAt extends Front {
  host: string;
  port: number;
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
  { host, port, onListening, signal }: ServedAt,
): Promise<void> {
  const server = await listen(app, { host, port });
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

async function listen(app: Served, at: { host: string; port: number }): Promise<GatewayServer> {
  try {
    return await serveGateway(app, at);
  } catch (error) {
    const code = String(Reflect.get(Object(error), 'code'));
    const reason = LISTEN_FAULTS[code];
    if (reason === undefined) throw error;
    throw new GatewayConfigError([`${at.host}:${at.port} ${reason} (${code})`]);
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
