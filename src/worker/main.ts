/** `npm start`: the worker as a process. Exit codes: 0 stopped on request, 1 failed, 64 bad configuration. */
import { ConfigurationError } from '../config.js';
import { createLogger } from '../observe/logger.js';
import { runWorker } from './run-worker.js';

const logger = createLogger('INFO', (line) => process.stderr.write(`${line}\n`));
// The worker outlives the reader of its log, and a disk that is full.
process.stderr.on('error', () => undefined);
const stop = new AbortController();
// Before the workers run, nothing has to drain. Once they run, the SDK handles the signals.
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => {
    stop.abort();
  });
}

try {
  await runWorker({ logger, signal: stop.signal });
} catch (error) {
  if (error instanceof ConfigurationError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 64;
  } else if (!stop.signal.aborted) {
    logger.error('The worker has failed', { error });
    // A worker that was created but never ran keeps the process alive: a supervisor would wait forever.
    process.exit(1);
  }
}
