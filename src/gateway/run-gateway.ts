import type { Logger } from '@temporalio/common';

import type { ConnectOptions, GcoreWorkflows } from '../client/index.js';
import { auditTo } from './audit.js';
import { createGateway } from './create-gateway.js';
import { createLogger } from '../observe/logger.js';
import { loadTracing } from '../observe/tracing/load-tracing.js';
import type { Tracing, TracingOptions } from '../observe/tracing/start-tracing.js';
import { openTokens, serveUntil, type ServedAt } from './serve-gateway.js';
import type { TokenStore } from './tokens.js';

export interface GatewayService extends ServedAt {
  /** Connects to the Temporal server, as long as `use` runs. */
  withGcore: (
    use: (gcore: GcoreWorkflows) => Promise<void>,
    options: Pick<ConnectOptions, 'interceptors'>,
  ) => Promise<void>;
  /** Traces of requests; without it nothing is traced. */
  traces?: Omit<TracingOptions, 'logger'> | undefined;
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
  const logger = createLogger('INFO', service.writeLog);
  const tokens = await openTokens(service, logger);
  const tracing = await loadTracing(service.traces, logger);
  try {
    await service.withGcore(
      (gcore) => serve(service, { gcore, tokens, logger, tracing }),
      tracing === undefined ? {} : { interceptors: { workflow: tracing.clientInterceptors } },
    );
  } finally {
    await tracing?.end();
  }
}

interface ServeDeps {
  gcore: GcoreWorkflows;
  tokens: TokenStore | undefined;
  logger: Logger;
  tracing: Tracing | undefined;
}

async function serve(
  service: GatewayService,
  { gcore, tokens, logger, tracing }: ServeDeps,
): Promise<void> {
  const { version, signal, requestsPerSecond, temporalUrl, publicOrigin, trustsProxy } = service;
  const app = createGateway({
    gcore,
    tokens,
    version,
    publicOrigin,
    trustsProxy,
    audit: auditTo(logger),
    ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
    ...(temporalUrl === undefined ? {} : { temporalUrl }),
    log: (answer) => {
      logger.log(answer.status < 500 ? 'INFO' : 'WARN', 'answered', { ...answer });
    },
    spanAround: tracing?.spanAround,
    closing: signal,
  });
  await serveUntil(app, service);
}
