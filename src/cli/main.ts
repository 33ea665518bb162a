#!/usr/bin/env node
import { asksForJson, renderProblem, toErrorJson } from './output/render-problem.js';
import type { ExitCode } from './cli-error.js';
import { keepCompiledCode } from './compile-cache.js';
import { notInstalled } from './output/error-text.js';
import { processIo } from './process-io.js';

keepCompiledCode();
const exitCode = await run(process.argv.slice(2));
// A pending retry, for example, must not keep the finished process alive.
process.stdout.write('', () => {
  process.exit(exitCode);
});

/** Loads the commands late: the static imports of this file work even when a package is missing. */
async function run(args: readonly string[]): Promise<ExitCode> {
  const io = processIo();
  try {
    const [{ runCli }, { OUTLINES: outlines }] = await Promise.all([
      import('./run-cli.js'),
      import('./outlines.js'),
    ]);
    return await runCli(args, io, outlines === undefined ? {} : { outlines });
  } catch (error) {
    const problem = notInstalled(error);
    if (problem === undefined) throw error;
    const lines = asksForJson(args) ? [toErrorJson(problem)] : renderProblem(problem);
    io.stderr.write(`${lines.join('\n')}\n`);
    return problem.exitCode;
  }
}
