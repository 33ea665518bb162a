import type { Command } from 'commander';

/** A word that a person may type, and what it means. */
export interface Word {
  text: string;
  description: string;
}

/** What may follow a command such as `schedule create`. */
export interface CommandWords {
  /** Such as `schedule create`; empty for the program itself. */
  path: string;
  commands: Word[];
  options: Word[];
  /** Words that an argument may be. */
  arguments: string[];
  /** The words that an option may have, by the option; none where it takes any text. */
  values: { option: string; words: readonly string[] }[];
}

/** What may be typed, read from the commands themselves. */
export function commandWords(program: Command): CommandWords[] {
  return wordsOf(program, '', program);
}

function wordsOf(command: Command, path: string, program: Command): CommandWords[] {
  const groups = command.commands.map((child) => ({
    child,
    names: [child.name(), ...child.aliases()],
  }));
  const options = [...new Set([...command.options, ...program.options])];
  const help = { text: '--help', description: 'print help' };
  const words: CommandWords = {
    path,
    commands: groups.flatMap(({ child, names }) =>
      names.map((text) => ({ text, description: child.description() })),
    ),
    options: [
      ...options.flatMap(({ short, long, description }) => toWords([short, long], description)),
      help,
    ],
    arguments: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    values: options
      .filter(({ required, optional }) => required || optional)
      .flatMap(({ short, long, argChoices = [] }) =>
        toWords([short, long], '').map(({ text }) => ({ option: text, words: argChoices })),
      ),
  };
  const below = groups.flatMap(({ child, names }) =>
    names.flatMap((name) => wordsOf(child, `${path} ${name}`.trim(), program)),
  );
  return [words, ...below];
}

function toWords(names: readonly (string | undefined)[], description: string): Word[] {
  return names.filter((text) => text !== undefined).map((text) => ({ text, description }));
}
