import { runCaptured, type Captured, type RunOptions } from '../../support/cli/run-captured.js';
import { TEMPORAL_ADDRESS } from './machine-room.js';

/** Runs a command of the product in this process. */
export function runCommand(...args: string[]): Promise<Captured> {
  return runCommandWith({}, ...args);
}

/** The same with a terminal that answers, or with an input. */
export function runCommandWith(options: RunOptions, ...args: string[]): Promise<Captured> {
  return runCaptured([...args, '--address', TEMPORAL_ADDRESS], options);
}
