import type { GcoreWorkflows } from '../client/index.js';
import { createGateway } from './create-gateway.js';
import { openTokens, serveUntil, type ServedAt } from './serve-until.js';
import type { TokenStore } from './tokens/token-store.js';

export interface GatewayService extends ServedAt {
  /** Connects to the Temporal server, as long as `use` runs. */
  withGcore: (use: (gcore: GcoreWorkflows) => Promise<void>) => Promise<void>;
  requestsPerSecond?: number;
  version: string;
  /** The page of a run in the Temporal UI. */
  temporalUrl?: (workflowId: string) => string;
  /** One line of the log, as JSON. */
  writeLog: (line: string) => void;
}

/**
 * Serves the API until the signal.
 * @throws GatewayConfigError before it connects to anything, or when the port is taken
 */
export async function runGateway(service: GatewayService): Promise<void> {
  const log = (entry: object): void => {
    service.writeLog(JSON.stringify({ time: new Date().toISOString(), ...entry }));
  };
  const tokens = await openTokens(service, log);
  await service.withGcore((gcore) => serve(service, { gcore, tokens, log }));
}

interface ServeDeps {
  gcore: GcoreWorkflows;
  tokens: TokenStore | undefined;
  log: (entry: object) => void;
}

async function serve(service: GatewayService, { gcore, tokens, log }: ServeDeps): Promise<void> {
  const { version, signal, requestsPerSecond, temporalUrl } = service;
  const app = createGateway({
    gcore,
    tokens,
    version,
    ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
    ...(temporalUrl === undefined ? {} : { temporalUrl }),
    log: (answer) => {
      log({ level: answer.status < 500 ? 'INFO' : 'WARN', message: 'answered', ...answer });
    },
    closing: signal,
  });
  await serveUntil(app, service);
}
