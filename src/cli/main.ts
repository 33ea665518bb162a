#!/usr/bin/env node
import { processIo } from './process-io.js';
import { runCli } from './run-cli.js';

const exitCode = await runCli(process.argv.slice(2), processIo());
// Nothing may keep the process once its work is done, such as a call that is about to be retried.
process.stdout.write('', () => {
  process.exit(exitCode);
});
