import { CommanderError, type Command } from 'commander';

import { ExitCode, type Hint, type Problem } from './cli-error.js';
import type { CliIo } from './cli-io.js';
import { addCompletion } from './commands/completion.js';
import { COMMANDS, type ListedCommand } from './commands/index.js';
import { createHint } from './hint.js';
import { parse } from './input/parse.js';
import { addOutline, outlineOf, type CommandOutline } from './outline.js';
import { fit } from './output/fit.js';
import { asksForJson, renderProblem, toErrorJson } from './output/render-problem.js';
import { choosePaint, withSafeOutput } from './output/terminal-text.js';
import { usageProblem } from './output/usage-problem.js';
import { createProgram, type GlobalOptions } from './program.js';
import { createServices, type Services } from './services.js';

export interface CliParts {
  services: Services;
  /** Of `COMMANDS`, in their order, as the build has written them; read from the commands where they are missing. */
  outlines: readonly CommandOutline[];
}

/**
 * The CLI as a function: it takes arguments and returns an exit code. It never ends the process. What is typed is
 * read with the outlines of the commands. Only the command that runs is loaded, and reads it again.
 */
export async function runCli(
  args: readonly string[],
  given: CliIo,
  { services = createServices(), outlines }: Partial<CliParts> = {},
): Promise<ExitCode> {
  const io = withSafeOutput(given);
  const program = createProgram(io);
  for (const [at, outline] of (outlines ?? (await readOutlines({ io, services }))).entries()) {
    addOutline(program, outline, async () => {
      const only = await loadCommand(COMMANDS[at], { io, services });
      await parse(only, args);
    });
  }
  addCompletion(program, io);
  try {
    await parse(program, args);
    return ExitCode.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return ExitCode.done;
    const options = program.opts<GlobalOptions>();
    const problem = await problemOf(error, createHint(io, options));
    // `help` has already written its text.
    if (error instanceof CommanderError && error.code === 'commander.help') return problem.exitCode;
    const lines = asksForJson(args)
      ? [toErrorJson(problem)]
      : fit(
          renderProblem(problem, choosePaint(options.color, io.stderr)),
          io.stderr.size?.().columns,
        );
    io.stderr.write(`${lines.join('\n')}\n`);
    return problem.exitCode;
  }
}

/** Wrong usage needs none of the client's errors. */
async function problemOf(error: unknown, hint: Hint): Promise<Problem> {
  if (error instanceof CommanderError) return usageProblem(error, hint);
  const { toProblem } = await import('./output/to-problem.js');
  return toProblem(error, hint);
}

interface Surroundings {
  io: CliIo;
  services: Services;
}

/** A program that has this command alone. */
async function loadCommand(
  command: ListedCommand | undefined,
  { io, services }: Surroundings,
): Promise<Command> {
  if (command === undefined) throw new TypeError('The outlines are of another version.');
  const { createSession } = await import('./session.js');
  const add = await command.load();
  const program = createProgram(io);
  const session = () => createSession(io, program.opts<GlobalOptions>());
  add({ program, services, session });
  return program;
}

/** Reads the outlines from the commands. Loads them all. */
export async function readOutlines(surroundings: Surroundings): Promise<CommandOutline[]> {
  const outlines: CommandOutline[] = [];
  for (const { group, load } of COMMANDS) {
    const program = await loadCommand({ group, load }, surroundings);
    outlines.push(...program.commands.map((command) => ({ ...outlineOf(command), group })));
  }
  return outlines;
}
