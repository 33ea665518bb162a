import { Argument, type Command } from 'commander';

import type { CliIo } from '../cli-io.js';
import { bashScript } from '../completion/bash-script.js';
import { commandWords, type CommandWords } from '../completion/command-words.js';
import { fishScript } from '../completion/fish-script.js';
import { zshScript } from '../completion/zsh-script.js';
import { PARTS } from './index.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const satisfies Record<
  string,
  (all: readonly CommandWords[]) => string
>;

const EXAMPLES = `
Examples:
  source <(gcore-workflows completion bash)
  source <(gcore-workflows completion zsh)
  gcore-workflows completion fish | source`;

/** It needs the other commands, and none of what they do. */
export function addCompletion(program: Command, { stdout }: Pick<CliIo, 'stdout'>): void {
  program
    .command('completion')
    .helpGroup(PARTS)
    .description('print the completion of the commands for a shell')
    .addArgument(new Argument('<SHELL>', 'which shell').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', EXAMPLES)
    .action((shell: keyof typeof SCRIPTS) => {
      stdout.write(SCRIPTS[shell](commandWords(program)));
    });
}
