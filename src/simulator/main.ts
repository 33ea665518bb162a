import { createSimulator } from './create-simulator.js';
import { parseArguments, USAGE } from './parse-arguments.js';

/** EX_USAGE of sysexits.h */
const EXIT_USAGE = 64;

const parsed = parseArguments(process.argv.slice(2));
if (!parsed.ok) {
  process.stderr.write(`${parsed.message}\n${USAGE}\n`);
  process.exit(EXIT_USAGE);
}

if (parsed.value === 'help') {
  process.stdout.write(`${USAGE}\n`);
  process.exit();
}

const { host, port, 'time-scale': timeScale, 'api-key': apiKey } = parsed.value;
const simulator = createSimulator({ apiKey, timeScale });

try {
  const listener = await simulator.listen({ host, port });
  process.stderr.write(`The simulator listens on ${listener.url}, API key ${apiKey}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void listener.close());
  }
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The simulator cannot listen: ${reason}\n`);
  process.exitCode = 1;
}
