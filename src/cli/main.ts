#!/usr/bin/env node
import { processIo } from './process-io.js';
import { runCli } from './run-cli.js';

const exitCode = await runCli(process.argv.slice(2), processIo());
// A pending retry, for example, must not keep the finished process alive.
process.stdout.write('', () => {
  process.exit(exitCode);
});
