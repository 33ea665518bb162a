import { ConfigurationError } from '../../config.js';

/** Why a server cannot start. The class is not imported: that would load the gateway for every command. */
export function gatewayFault(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'GatewayConfigError') return error;
  const faults: unknown = Reflect.get(error, 'faults');
  return new ConfigurationError(Array.isArray(faults) ? faults.map(String) : [error.message]);
}
