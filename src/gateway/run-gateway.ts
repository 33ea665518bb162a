import type { Logger } from '@temporalio/common';

import type { GcoreWorkflows } from '../client/index.js';
import { createGateway } from './create-gateway.js';
import { createLogger } from '../observe/logger.js';
import { isLoopback } from './middleware.js';
import type { GatewayApp } from './gateway-context.js';
import { serveGateway, type GatewayServer } from './serve-gateway.js';
import { openTokenStore, TokenFileError, type TokenStore } from './tokens/token-store.js';

export interface GatewayService {
  /** Connects to the Temporal server, as long as `use` runs. */
  withGcore: (use: (gcore: GcoreWorkflows) => Promise<void>) => Promise<void>;
  host: string;
  port: number;
  /** File with the tokens. */
  tokens?: string | undefined;
  requestsPerSecond?: number;
  version: string;
  /** The page of a run in the Temporal UI. */
  temporalUrl?: (workflowId: string) => string;
  /** One line of the log, as JSON. */
  writeLog: (line: string) => void;
  onListening: (url: string) => void;
  signal: AbortSignal;
}

/** Thrown when the gateway cannot start as it is configured. Names every fault. */
class GatewayConfigError extends Error {
  override readonly name = 'GatewayConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.faults = faults;
  }
}

/**
 * Serves the API until the signal.
 * @throws GatewayConfigError before it connects to anything, or when the port is taken
 */
export async function runGateway(service: GatewayService): Promise<void> {
  const logger = createLogger('INFO', service.writeLog);
  const tokens = await openTokens(service, logger);
  await service.withGcore((gcore) => serve(service, { gcore, tokens, logger }));
}

interface ServeDeps {
  gcore: GcoreWorkflows;
  tokens: TokenStore | undefined;
  logger: Logger;
}

async function serve(service: GatewayService, { gcore, tokens, logger }: ServeDeps): Promise<void> {
  const { host, port, version, signal, requestsPerSecond, temporalUrl } = service;
  const app = createGateway({
    gcore,
    tokens,
    version,
    ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
    ...(temporalUrl === undefined ? {} : { temporalUrl }),
    log: (answer) => {
      logger.log(answer.status < 500 ? 'INFO' : 'WARN', 'answered', { ...answer });
    },
    closing: signal,
  });
  const server = await listen(app, { host, port });
  service.onListening(server.url);
  await aborted(signal);
  await server.close();
}

/** The tokens, if there is a file. @throws GatewayConfigError */
async function openTokens(
  { host, tokens: file }: GatewayService,
  logger: Logger,
): Promise<TokenStore | undefined> {
  if (file === undefined) {
    if (isLoopback(host)) return undefined;
    throw new GatewayConfigError([
      `--host ${host} needs --tokens FILE: without tokens everybody who reaches this machine could start runs`,
    ]);
  }
  const onFault = (fault: string): void => {
    logger.error(`The token file ${fault}. The tokens before it stay valid.`);
  };
  try {
    return await openTokenStore({ file, onFault });
  } catch (error) {
    if (!(error instanceof TokenFileError)) throw error;
    throw new GatewayConfigError(error.faults.map((fault) => `--tokens ${file}: ${fault}`));
  }
}

async function listen(app: GatewayApp, at: { host: string; port: number }): Promise<GatewayServer> {
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
