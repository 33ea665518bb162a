import { ConfigurationError } from './configuration-error.js';
import { withoutEmpty, type Environment } from './environment.js';

/** One part of the configuration, for a program that needs no other. Throws `ConfigurationError`. */
export function readAlone<T>(
  environment: Environment,
  read: (given: Environment, faults: string[]) => T,
): T {
  const faults: string[] = [];
  const found = read(withoutEmpty(environment), faults);
  if (faults.length > 0) throw new ConfigurationError(faults);
  return found;
}
