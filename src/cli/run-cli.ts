import { Command, CommanderError, Help, Option, type HelpConfiguration } from 'commander';

import type { Cli } from './cli.js';
import type { CliIo } from './cli-io.js';
import { COMMANDS } from './commands/index.js';
import { ExitCode } from './cli-error.js';
import { asksForJson, renderProblem, toErrorJson } from './output/render-problem.js';
import { parse } from './input/parse.js';
import { parseAddress, parseIdentity } from './input/parse-option.js';
import { choosePaint, withSafeOutput } from './output/terminal-text.js';
import { readOwnPackage } from './own-package.js';
import { createServices, type Services } from './services.js';
import { createSession, type GlobalOptions, type Session } from './session.js';
import { toProblem } from './output/to-problem.js';

/** The CLI as a function: it takes arguments and returns an exit code. It never ends the process. */
export async function runCli(
  args: readonly string[],
  given: CliIo,
  services: Services = createServices(),
): Promise<ExitCode> {
  const io = withSafeOutput(given);
  const program = createProgram(io);
  const session = (): Session => createSession(io, program.opts<GlobalOptions>());
  const cli: Cli = { program, services, session };
  for (const add of COMMANDS) add(cli);
  try {
    await parse(program, args);
    return ExitCode.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return ExitCode.done;
    const problem = toProblem(error, session().hint);
    // `help` has already written its text.
    if (error instanceof CommanderError && error.code === 'commander.help') return problem.exitCode;
    const lines = asksForJson(args)
      ? [toErrorJson(problem)]
      : renderProblem(problem, choosePaint(program.opts<GlobalOptions>().color, io.stderr));
    io.stderr.write(`${lines.join('\n')}\n`);
    return problem.exitCode;
  }
}

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

function createProgram(io: CliIo): Command {
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
