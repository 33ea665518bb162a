import { resolveTemporalExecutable } from '../src/dev/temporal-executable.js';
import { startTemporalServer, type TemporalServerOptions } from '../src/dev/temporal-server.js';
import { closeScenarios } from '../test/support/runs/scenario.js';

/** Runs a bench with its own Temporal server. Scenarios find it by the environment. */
export async function withTemporal(
  options: Omit<TemporalServerOptions, 'executable'>,
  bench: (address: string) => Promise<void>,
): Promise<void> {
  const { path: executable } = await resolveTemporalExecutable({
    cliPath: process.env['TEMPORAL_CLI_PATH'],
    path: process.env['PATH'],
  });
  const temporal = await startTemporalServer({ ...options, executable });
  process.env['TEMPORAL_ADDRESS'] = temporal.address;
  try {
    await bench(temporal.address);
  } finally {
    await closeScenarios();
    await temporal.close();
  }
}
