#!/usr/bin/env node
import { asksForJson, renderProblem, toErrorJson } from './output/render-problem.js';
import { ExitCode, type Problem } from './cli-error.js';
import { keepCompiledCode } from './compile-cache.js';
import { notInstalled } from './output/error-text.js';
import { quietGrpc } from '../config/proxies.js';
import { processIo } from './process-io.js';
import { keepOutput } from './process-output.js';

keepCompiledCode();
quietGrpc();
const args = process.argv.slice(2);
const output = keepOutput(process.stdout, process.stderr);
const exitCode = withOutput(await run(), await output.flush());
await output.flush();
// A pending retry, for example, must not keep the finished process alive.
process.exit(exitCode);

/** Loads the commands late: the static imports of this file work even when a package is missing. */
async function run(): Promise<ExitCode> {
  const io = processIo(output);
  try {
    const [{ runCli }, { OUTLINES: outlines }] = await Promise.all([
      import('./run-cli.js'),
      import('./outlines.js'),
    ]);
    return await runCli(args, io, outlines === undefined ? {} : { outlines });
  } catch (error) {
    const problem = notInstalled(error);
    if (problem === undefined) throw error;
    return tell(problem);
  }
}

/** Whoever reads the exit code of a success relies on its output too. */
function withOutput(code: ExitCode, lost: Error | undefined): ExitCode {
  if (lost === undefined) return code;
  const told = tell({
    type: 'OutputLost',
    message: `Not all of the output could be written: ${lost.message}.`,
    advice: 'Make room or write it elsewhere, then ask again. What the command did is done.',
    exitCode: ExitCode.failed,
  });
  return code === ExitCode.done ? told : code;
}

function tell(problem: Problem): ExitCode {
  const lines = asksForJson(args) ? [toErrorJson(problem)] : renderProblem(problem);
  process.stderr.write(`${lines.join('\n')}\n`);
  return problem.exitCode;
}
