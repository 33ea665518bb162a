import { quoteWord } from '../engine/core/text.js';
import type { Hint } from './cli-error.js';
import type { CliIo } from './cli-io.js';
import type { GlobalOptions } from './program.js';

/** Commands to copy: with the name that works in this shell, and the options that lead to the same server. */
export function createHint(
  { programName }: Pick<CliIo, 'programName'>,
  { address, namespace }: Pick<GlobalOptions, 'address' | 'namespace'>,
): Hint {
  const server = [
    ...(address === undefined ? [] : ['--address', address]),
    ...(namespace === undefined ? [] : ['--namespace', namespace]),
  ];
  return (...words) => [programName, ...[...words, ...server].map(quoteWord)].join(' ');
}
