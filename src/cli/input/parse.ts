import { CommanderError, type Command } from 'commander';

/**
 * Parses the arguments and runs their command. Of two faults it reports the one that a person has to
 * mend: commander alone calls `provision --fil x` a missing `--file`, and shows the whole help for
 * `help nope`.
 */
export async function parse(program: Command, args: readonly string[]): Promise<void> {
  const [first, second] = args;
  const isKnown = program.commands.some((command) => command.name() === second);
  const words = first === 'help' && second !== undefined && !isKnown ? args.slice(1) : args;
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    const isMissing =
      error instanceof CommanderError && error.code === 'commander.missingMandatoryOptionValue';
    if (isMissing) await reportUnknownOption(program, words);
    throw error;
  }
}

/** Rejects if an option is unknown. Parses again as if no option were mandatory, and runs nothing. */
async function reportUnknownOption(program: Command, args: readonly string[]): Promise<void> {
  disarm(program.commands);
  await program.parseAsync(args, { from: 'user' });
}

function disarm(commands: readonly Command[]): void {
  for (const command of commands) {
    for (const option of command.options) option.makeOptionMandatory(false);
    // A group runs nothing itself.
    if (command.commands.length === 0) command.action(() => undefined);
    disarm(command.commands);
  }
}
