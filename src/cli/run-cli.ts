import { CommanderError, type Command } from 'commander';

import { ExitCode, type Hint, type Problem } from './cli-error.js';
import type { CliIo } from './cli-io.js';
import { addCompletion } from './commands/completion.js';
import { COMMANDS, type AddCommand, type ListedCommand } from './commands/index.js';
import { createHint } from './hint.js';
import { parse } from './input/parse.js';
import { addOutline, outlineOf, type CommandOutline } from './outline.js';
import { fit } from './output/fit.js';
import type { toProblem as toProblemOf } from './output/to-problem.js';
import { asksForJson, renderProblem, toErrorJson } from './output/render-problem.js';
import { choosePaint, withSafeOutput } from './output/terminal-text.js';
import { usageProblem } from './output/usage-problem.js';
import { processIo } from './process-io.js';
import { createProgram, type GlobalOptions } from './program.js';
import { createServices, type Services } from './services.js';
import type { createSession as createSessionOf } from './session.js';

/** What a command needs, beside itself. */
interface Loaded {
  add: AddCommand;
  createSession: typeof createSessionOf;
  toProblem: typeof toProblemOf;
}

export interface CliParts {
  services: Services;
  /** Of `COMMANDS`, in their order, as the build has written them; read from the commands where they are missing. */
  outlines: readonly CommandOutline[];
  load: (command: ListedCommand) => Promise<Loaded>;
}

/**
 * The CLI as a function: it takes arguments and returns an exit code. It never ends the process. What is typed is
 * read with the outlines of the commands. Only the command that runs is loaded, and reads it again.
 */
export async function runCli(
  args: readonly string[],
  given: CliIo,
  { services = createServices(), outlines, load = loadParts }: Partial<CliParts> = {},
): Promise<ExitCode> {
  const io = withSafeOutput(given);
  const program = createProgram(io);
  let toProblem: Loaded['toProblem'] | undefined;
  const run = async (command: ListedCommand | undefined): Promise<void> => {
    if (command === undefined) throw new TypeError('The outlines are of another version.');
    const loaded = await load(command);
    ({ toProblem } = loaded);
    await parse(programOf(loaded, { io, services }), args);
  };
  for (const [at, outline] of (outlines ?? (await readOutlines({ io, services }))).entries()) {
    addOutline(program, outline, () => run(COMMANDS[at]));
  }
  addCompletion(program, io);
  try {
    await parse(program, args);
    return ExitCode.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return ExitCode.done;
    const options = program.opts<GlobalOptions>();
    const problem = problemOf(error, { hint: createHint(io, options), toProblem });
    // `help` has already written its text.
    if (error instanceof CommanderError && error.code === 'commander.help') return problem.exitCode;
    const lines = asksForJson(args) ? [toErrorJson(problem)] : toLines(problem, io, options);
    io.stderr.write(`${lines.join('\n')}\n`);
    return problem.exitCode;
  }
}

function toLines(problem: Problem, { stderr }: CliIo, { color }: GlobalOptions): string[] {
  return fit(renderProblem(problem, choosePaint(color, stderr)), stderr.size?.().columns);
}

/** Wrong usage needs none of the client's errors. Without them nothing ran but what loads a command. */
function problemOf(
  error: unknown,
  { hint, toProblem }: { hint: Hint; toProblem: Loaded['toProblem'] | undefined },
): Problem {
  if (error instanceof CommanderError) return usageProblem(error, hint);
  if (toProblem === undefined) throw error;
  return toProblem(error, hint);
}

interface Surroundings {
  io: CliIo;
  services: Services;
}

/** All at once: while a command runs for hours, the package may be replaced. */
export async function loadParts({ load }: ListedCommand): Promise<Loaded> {
  const { toProblem } = await import('./output/to-problem.js');
  const { createSession } = await import('./session.js');
  return { add: await load(), createSession, toProblem };
}

/** A program that has this command alone. */
function programOf({ add, createSession }: Loaded, { io, services }: Surroundings): Command {
  const program = createProgram(io);
  const session = () => createSession(io, program.opts<GlobalOptions>());
  add({ program, services, session });
  return program;
}

/** Reads the outlines from the commands. Loads them all. */
export async function readOutlines({
  io = processIo({ unread: new AbortController().signal }),
  services = createServices(),
}: Partial<Surroundings> = {}): Promise<CommandOutline[]> {
  const outlines: CommandOutline[] = [];
  for (const command of COMMANDS) {
    const program = programOf(await loadParts(command), { io, services });
    const { group } = command;
    outlines.push(...program.commands.map((each) => ({ ...outlineOf(each), group })));
  }
  return outlines;
}
