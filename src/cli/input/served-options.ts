import type { Command } from 'commander';

import { ConfigurationError } from '../../config.js';
import { parsePort, parsePublicUrl } from './parse-option.js';

/** What every command takes that serves HTTP. */
export interface ServedOptions {
  host: string;
  port: number;
  healthPort?: number;
  tokens?: string;
  publicUrl?: string;
  trustProxy?: true;
}

export function addServedOptions(command: Command, port: number): Command {
  return command
    .option(
      '--host <HOST>',
      'address to listen on; others than loopback need --tokens',
      '127.0.0.1',
    )
    .option('--port <PORT>', 'port to listen on', parsePort, port)
    .option(
      '--health-port <PORT>',
      'port for /livez and /readyz alone, on the same host',
      parsePort,
    )
    .option('--tokens <FILE>', 'who may call, as JSON; read again when it changes')
    .option(
      '--public-url <URL>',
      'where browsers reach it, if behind a proxy: decides cookies and whose forms it takes',
      parsePublicUrl,
    )
    .option('--trust-proxy', 'the last address of X-Forwarded-For is the caller: a proxy adds it');
}

/** As the servers take them. */
export function toServed({ host, port, healthPort, tokens, publicUrl, trustProxy }: ServedOptions) {
  return { host, port, healthPort, tokens, publicOrigin: publicUrl, trustsProxy: trustProxy };
}

/** Why a server cannot start. The class is not imported: that would load the gateway for every command. */
export function gatewayFault(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'GatewayConfigError') return error;
  const faults: unknown = Reflect.get(error, 'faults');
  return new ConfigurationError(Array.isArray(faults) ? faults.map(String) : [error.message]);
}
