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

const { host, port, 'time-scale': timeScale, 'api-key': apiKey, fault } = parsed.value;
const simulator = createSimulator({ apiKey, timeScale });
fault.forEach(simulator.faults.start);

try {
  const listener = await simulator.listen({ host, port });
  process.stderr.write(`The simulator listens on ${listener.url}, API key ${apiKey}\n`);
  process.stderr.write(`Its faults: ${listener.url}/simulator/faults\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void listener.close());
  }
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The simulator cannot listen: ${reason}\n`);
  process.exitCode = 1;
}
