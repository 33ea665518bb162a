import {
  connectGcoreWorkflows,
  type ConnectedGcoreWorkflows,
  type ConnectOptions,
  type GcoreWorkflows,
} from '../client/index.js';
import { ConfigurationError, currentEnvironment } from '../config.js';
import { loadClearSecrets } from '../config/clear-secrets.js';
import { proxyOfClients } from '../config/proxies.js';
import { loadUploadLimits } from '../config/upload-limits.js';
import { hostOf, isLoopback } from '../contract/wire/address.js';
import { FileFaultError } from '../files/fresh-file.js';
import { CliError, ExitCode } from './cli-error.js';
import { messageOf } from './output/error-text.js';
import type { Session } from './session.js';

const CONNECT_TIMEOUT_MS = 5_000;
const DEFAULT_ADDRESS = 'localhost:7233';

/** Opens a connection, runs `use` with it and closes it. */
export async function withGcore<T>(
  session: Session,
  use: (gcore: GcoreWorkflows) => Promise<T>,
  options: Pick<ConnectOptions, 'interceptors'> = {},
): Promise<T> {
  const gcore = await connect(session, options);
  try {
    return await use(gcore);
  } finally {
    await gcore.close();
  }
}

async function connect(
  { temporal, codecKeys, progress, identity }: Session,
  options: Pick<ConnectOptions, 'interceptors'>,
): Promise<ConnectedGcoreWorkflows> {
  const config = temporal();
  const clearSecrets = loadClearSecrets(currentEnvironment());
  const uploadLimits = loadUploadLimits(currentEnvironment());
  try {
    return await connectGcoreWorkflows({
      ...options,
      config,
      identity,
      codec: codecKeys(),
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      ...(clearSecrets && { clearSecrets }),
      uploadLimits,
      onCodecFault: (fault) => {
        progress.notice(`The key ring ${fault}. The keys before it stay in use.`);
      },
    });
  } catch (error) {
    throw connectFault(error, config.connectionOptions.address ?? DEFAULT_ADDRESS);
  }
}

function connectFault(error: unknown, address: string): unknown {
  if (error instanceof FileFaultError) {
    return new ConfigurationError(error.faults.map((fault) => `GCORE_CODEC_KEYS_FILE: ${fault}`));
  }
  const message = messageOf(error);
  if (message.startsWith('Invalid address')) {
    return new ConfigurationError([`The address "${address}" is not of the form host:port`]);
  }
  if (!message.includes('before the deadline')) return error;
  const proxy = isLoopback(hostOf(address)) ? undefined : proxyOfClients(currentEnvironment());
  const through = proxy === undefined ? '' : ` through the proxy of ${proxy}`;
  return new CliError({
    type: 'TemporalUnreachable',
    message: `No Temporal server answers at ${address}${through} (waited ${CONNECT_TIMEOUT_MS / 1000} seconds).`,
    advice:
      proxy === undefined
        ? 'Start one (temporal server start-dev), name another with --address or TEMPORAL_ADDRESS, or check TLS (TEMPORAL_TLS).'
        : `Without a proxy: no_proxy=${hostOf(address)}. Or check the proxy, the address and TLS (TEMPORAL_TLS).`,
    exitCode: ExitCode.failed,
  });
}
