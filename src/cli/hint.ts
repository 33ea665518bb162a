import { quoteWord } from '../engine/core/text.js';
import type { Hint } from './cli-error.js';
import type { CliIo } from './cli-io.js';
import { NO_BREAK } from './output/terminal-text.js';
import type { GlobalOptions } from './program.js';

/**
 * Commands to copy: with the name that works in this shell, and the options that lead to the same server. No line
 * break comes between their words.
 */
export function createHint(
  { programName }: Pick<CliIo, 'programName'>,
  { address, namespace }: Pick<GlobalOptions, 'address' | 'namespace'>,
): Hint {
  const server = [
    ...(address === undefined ? [] : ['--address', address]),
    ...(namespace === undefined ? [] : ['--namespace', namespace]),
  ];
  return (...words) =>
    [programName, ...[...words, ...server].map(quoteWord)].join(' ').replaceAll(' ', NO_BREAK);
}
