import { Command, Help, Option, type HelpConfiguration } from 'commander';

import type { CliIo } from './cli-io.js';
import { parseAddress, parseIdentity } from './input/parse-option.js';
import { fit } from './output/fit.js';
import { NO_BREAK, type ColorChoice } from './output/terminal-text.js';
import { readOwnPackage } from './own-package.js';

const EXIT_CODES = `
Output:
  stdout carries data only, stderr progress and errors. The result of a run is
  always JSON; --output chooses the form of everything else. With --output json
  stderr is JSON too, one object a line: {"notice"}, {"status"} or {"error"}.
  A reader that leaves, as in | head, changes no exit code; a full disk makes
  a success a failure.

Exit codes:
  0 done   1 failed   2 cancelled   3 some items failed   4 not authorised
  5 the plan is not ready   6 the request id has a run with another input
  64 bad usage or input
  124 --timeout reached, 130 Ctrl-C: the run continues

The Temporal server is configured as for the temporal CLI: TEMPORAL_ADDRESS,
TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS …, or its configuration file.`;

const HELP_WIDTH = 80;
const standardHelp = new Help();

const HELP: HelpConfiguration = {
  showGlobalOptions: true,
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
    .configureHelp({ ...HELP, helpWidth: io.stdout.size?.().columns ?? HELP_WIDTH })
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .configureOutput({
      // Only help. Its commands are the ones that work in this shell.
      writeOut: (text) => {
        const named = text.replaceAll(/\bgcore-workflows (?=[a-z[])/g, `${io.programName} `);
        const lines = named.split('\n').map((line) => toPaste(line, io.programName));
        io.stdout.write(fit(lines, io.stdout.size?.().columns).join('\n'));
      },
      writeErr: (text) => {
        io.stderr.write(text);
      },
      // Errors are written once, by `runCli`, in the form that --output asks for.
      outputError: () => undefined,
    });
  return program;
}

/** An example of a help, or a part of one: whole lines of the shell. */
function toPaste(line: string, programName: string): string {
  const isExample =
    /^ {2}.* \\$/.test(line) || (line.startsWith('  ') && line.includes(`${programName} `));
  if (!isExample && !/^ {4}--\w/.test(line)) return line;
  return line.trimStart().replaceAll(' ', NO_BREAK).padStart(line.length);
}
