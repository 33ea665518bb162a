import {
  connectGcoreWorkflows,
  type ConnectedGcoreWorkflows,
  type GcoreWorkflows,
} from '../client/index.js';
import { ConfigurationError, type TemporalConfig } from '../config.js';
import { CliError } from './cli-error.js';
import { messageOf } from './output/error-text.js';
import { ExitCode } from './exit-code.js';
import type { Session } from './session.js';

const CONNECT_TIMEOUT_MS = 5_000;
const DEFAULT_ADDRESS = 'localhost:7233';

/** Opens a connection, runs `use` with it and closes it. */
export async function withGcore<T>(
  session: Session,
  use: (gcore: GcoreWorkflows) => Promise<T>,
): Promise<T> {
  const gcore = await connect(session.temporal(), session.identity);
  try {
    return await use(gcore);
  } finally {
    await gcore.close();
  }
}

async function connect(config: TemporalConfig, identity: string): Promise<ConnectedGcoreWorkflows> {
  try {
    return await connectGcoreWorkflows({ config, identity, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  } catch (error) {
    throw connectFault(error, config.connectionOptions.address ?? DEFAULT_ADDRESS);
  }
}

function connectFault(error: unknown, address: string): unknown {
  const message = messageOf(error);
  if (message.startsWith('Invalid address')) {
    return new ConfigurationError([`The address "${address}" is not of the form host:port`]);
  }
  if (!message.includes('before the deadline')) return error;
  return new CliError({
    type: 'TemporalUnreachable',
    message: `No Temporal server answers at ${address} (waited ${CONNECT_TIMEOUT_MS / 1000} seconds).`,
    advice:
      'Start one (temporal server start-dev), name another with --address or TEMPORAL_ADDRESS, or check TLS (TEMPORAL_TLS).',
    exitCode: ExitCode.failed,
  });
}
