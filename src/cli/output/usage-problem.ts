import type { CommanderError } from 'commander';

import { ExitCode, type Hint, type Problem } from '../cli-error.js';

/** What was typed is wrong. */
export function usageProblem({ message, code }: CommanderError, hint: Hint): Problem {
  return {
    type: 'Usage',
    message: message.replace(/^error: /, '').replace('\n', ' '),
    advice:
      code === 'commander.unknownCommand'
        ? `See all commands: ${hint('--help')}`
        : 'Add --help to the command to see how it is used.',
    exitCode: ExitCode.badInput,
  };
}
