import { readFileSync } from 'node:fs';

import { createSimulator } from './create-simulator.js';
import { emptyState, parseSimulatorState } from './state/simulator-state.js';
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

const { host, port, 'time-scale': timeScale, 'api-key': apiKey, seed, fact, fault } = parsed.value;
const { state: file } = parsed.value;

// It outlives the reader of its log.
process.stderr.on('error', () => undefined);

try {
  const state = file === undefined ? emptyState() : parseSimulatorState(readJsonFile(file));
  const simulator = createSimulator({ apiKey, timeScale, seed, state, ...fact });
  fault.forEach(simulator.faults.start);
  const listener = await simulator.listen({ host, port });
  process.stderr.write(`The simulator listens on ${listener.url}, API key ${apiKey}\n`);
  process.stderr.write(`Its faults: ${listener.url}/simulator/faults\n`);
  process.stderr.write(`Its state: ${listener.url}/simulator/state\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void listener.close());
  }
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The simulator cannot start: ${reason}\n`);
  process.exitCode = 1;
}

function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} is no readable JSON file`, { cause: error });
  }
}
