import { ConfigurationError, loadWorkerConfig } from '../../src/config.js';

/** The faults of a configuration. */
export function faultsOf(environment: Record<string, string | undefined>): readonly string[] {
  try {
    loadWorkerConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}
