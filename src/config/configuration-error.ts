import { plural } from '../engine/core/text.js';

/** Lists every fault of the configuration. Nothing starts with a faulty one. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    const lines = faults.map((fault) => `  ${fault}`).join('\n');
    super(`The configuration has ${plural(faults.length, 'fault')}:\n${lines}`);
    this.faults = faults;
  }
}
