import { Argument } from 'commander';

import type { Cli } from '../cli.js';
import { bashScript } from '../completion/bash-script.js';
import { commandWords, type CommandWords } from '../completion/command-words.js';
import { fishScript } from '../completion/fish-script.js';
import { zshScript } from '../completion/zsh-script.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const satisfies Record<
  string,
  (all: readonly CommandWords[]) => string
>;

const EXAMPLES = `
Examples:
  source <(gcore-workflows completion bash)
  source <(gcore-workflows completion zsh)
  gcore-workflows completion fish | source`;

export function addCompletion({ program, session }: Cli): void {
  program
    .command('completion')
    .description('print the completion of the commands for a shell')
    .addArgument(new Argument('<SHELL>', 'which shell').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', EXAMPLES)
    .action((shell: keyof typeof SCRIPTS) => {
      session().io.stdout.write(SCRIPTS[shell](commandWords(program)));
    });
}
