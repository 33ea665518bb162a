import { Argument, Option, type Command } from 'commander';

/**
 * What may be typed for a command and what its help says, as plain data. The build writes it down, so that the help,
 * the completion and most usage errors need none of what the commands do.
 */
export interface CommandOutline {
  name: string;
  aliases: readonly string[];
  description: string;
  /** Its heading in the help. */
  group: string;
  arguments: readonly ArgumentOutline[];
  options: readonly OptionOutline[];
  /** Stands below its help. */
  notes: string;
  commands: readonly CommandOutline[];
}

interface ArgumentOutline {
  /** `<ID>` or `[FILE]` */
  term: string;
  description: string;
  /** The words that it may be. */
  choices?: readonly string[];
}

interface OptionOutline {
  flags: string;
  description: string;
  mandatory: boolean;
  preset?: unknown;
  /** How the help says it. */
  presetText?: string;
  choices?: readonly string[];
}

/** Reads the outline of a command from the command itself. */
export function outlineOf(command: Command): CommandOutline {
  return {
    name: command.name(),
    aliases: command.aliases(),
    description: command.description(),
    group: command.helpGroup(),
    arguments: command.registeredArguments.map(outlineOfArgument),
    options: command.options.map(outlineOfOption),
    notes: notesOf(command),
    commands: command.commands.map(outlineOf),
  };
}

function outlineOfArgument(argument: Argument): ArgumentOutline {
  const { required, variadic, description, argChoices: choices } = argument;
  const name = `${argument.name()}${variadic ? '...' : ''}`;
  const term = required ? `<${name}>` : `[${name}]`;
  return { term, description, ...(choices && { choices }) };
}

function outlineOfOption(option: Option): OptionOutline {
  const { flags, description, mandatory, argChoices: choices } = option;
  const { defaultValueDescription: presetText } = option;
  const preset: unknown = option.defaultValue;
  return {
    flags,
    description,
    mandatory,
    ...(preset !== undefined && { preset }),
    ...(presetText !== undefined && { presetText }),
    ...(choices && { choices }),
  };
}

/** What `addHelpText('after', …)` has added. The command then prints no help any more. */
function notesOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
  return help.slice(command.helpInformation().length).replace(/\n$/, '');
}

/** Adds a command that can be typed like the outlined one. Only `run` does something, and checks values of options. */
export function addOutline(
  parent: Command,
  outline: CommandOutline,
  run: () => Promise<void>,
): void {
  const { name, aliases, description, group, notes, commands } = outline;
  const command = parent.command(name).aliases(aliases).description(description).helpGroup(group);
  for (const { term, description: says, choices } of outline.arguments) {
    const argument = new Argument(term, says);
    if (choices !== undefined) argument.argChoices = [...choices];
    command.addArgument(argument);
  }
  for (const option of outline.options) command.addOption(toOption(option));
  if (notes !== '') command.addHelpText('after', notes);
  for (const child of commands) addOutline(command, child, run);
  // Whether a command with commands of its own does something without one, it says itself.
  command.allowExcessArguments(commands.length > 0).action(run);
}

function toOption({ flags, description, mandatory, ...outline }: OptionOutline): Option {
  const { preset, presetText, choices } = outline;
  const option = new Option(flags, description).makeOptionMandatory(mandatory);
  option.default(preset, presetText);
  if (choices !== undefined) option.argChoices = [...choices];
  return option;
}
