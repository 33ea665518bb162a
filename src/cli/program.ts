import { Command, Help, Option, type HelpConfiguration } from 'commander';

import type { CliIo } from './cli-io.js';
import { parseAddress, parseIdentity } from './input/parse-option.js';
import type { ColorChoice } from './output/terminal-text.js';
import { readOwnPackage } from './own-package.js';

const EXIT_CODES = `
Output:
  stdout carries data only, stderr progress and errors. The result of a run is
  always JSON; --output chooses the form of everything else. With --output json
  stderr is JSON too, one object a line: {"notice"}, {"status"} or {"error"}.

Exit codes:
  0 done   1 failed   2 cancelled   3 some items failed   4 not authorised
  5 the plan is not ready   6 the request id has a run with another input
  64 bad usage or input
  124 --timeout reached, 130 Ctrl-C: the run continues

The Temporal server is configured as for the temporal CLI: TEMPORAL_ADDRESS,
TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS …, or its configuration file.`;

const standardHelp = new Help();

const HELP: HelpConfiguration = {
  showGlobalOptions: true,
  helpWidth: 80,
  subcommandTerm: (command) =>
    [
      command.name(),
      ...command.registeredArguments.map((it) => standardHelp.argumentTerm(it)),
    ].join(' '),
  optionDescription: (option) =>
    standardHelp.optionDescription(option) + (option.mandatory ? ' (required)' : ''),
};

/** Options that every command takes. */
export interface GlobalOptions {
  output: 'text' | 'json';
  color: ColorChoice;
  address?: string;
  namespace?: string;
  as?: string;
}

/** The program without its commands: global options, and where its help goes. */
export function createProgram(io: CliIo): Command {
  const program = new Command('gcore-workflows')
    .description('Runs long operations of the Gcore API to a verified result. Unofficial.')
    .version(readOwnPackage().version, '--version', 'print the version')
    .addOption(
      new Option('-o, --output <FORMAT>', 'form of the output')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('--address <HOST:PORT>', 'Temporal server, instead of the configured one', parseAddress)
    .option('--namespace <NAME>', 'Temporal namespace, instead of the configured one')
    .option('--as <NAME>', 'who asks, for the history of runs; by default user@host', parseIdentity)
    .addOption(
      new Option('--color <WHEN>', 'colours; auto respects NO_COLOR')
        .choices(['always', 'never', 'auto'])
        .default('auto'),
    )
    .helpOption('-h, --help', 'print this help')
    .commandsGroup('Help:')
    .helpCommand('help [COMMAND]', 'print the help of a command')
    .configureHelp(HELP)
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .configureOutput({
      // Only help. Its commands are the ones that work in this shell.
      writeOut: (text) => {
        io.stdout.write(text.replaceAll(/\bgcore-workflows (?=[a-z[])/g, `${io.programName} `));
      },
      writeErr: (text) => {
        io.stderr.write(text);
      },
      // Errors are written once, by `runCli`, in the form that --output asks for.
      outputError: () => undefined,
    });
  return program;
}
