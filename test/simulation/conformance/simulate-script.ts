import { NativeConnection } from '@temporalio/worker';

import { installCore } from '../core/install-core.js';
import { createLink } from '../core/link.js';
import { createServer, type Limits } from '../temporal/create-server.js';
import { simulate, type Simulation } from '../time/run.js';
import { explainError } from './explain-error.js';
import { runScript, type Outcome } from './run-scripts.js';
import type { Script, World } from './stage.js';

const ADDRESS = 'temporal.simulated:7233';
const SEED = 1;
/** As the real server of tests has it. */
const LIMITS: Partial<Limits> = { shortestTimerMs: 10 };
const LIMIT_MS = 10 * 60_000;

/** Runs a script with a simulated server that has nothing else to do. */
export async function simulateScript(
  script: Script,
  bundles: World['bundles'],
  limits: Partial<Limits> = LIMITS,
): Promise<Outcome> {
  try {
    return await simulate(SEED, (simulation) =>
      play(simulation, limits, (connection) =>
        runScript(script, { connection, namespace: 'default', bundles, prefix: 'simulated-' }),
      ),
    );
  } catch (error) {
    const seen = { histories: [], observed: { simulationFailed: explainError(error) } };
    return { name: script.name, seconds: 0, seen };
  }
}

async function play<T>(
  simulation: Simulation,
  limits: Partial<Limits>,
  run: (connection: NativeConnection) => Promise<T>,
): Promise<T> {
  const { clock, draw } = simulation;
  const server = createServer({ clock, draw: draw.fork('server'), limits });
  const link = createLink(server, clock, draw.fork('link'));
  const core = installCore({ clock, draw, links: new Map([[`http://${ADDRESS}`, link]]) });
  try {
    const connection = await simulation.until(NativeConnection.connect({ address: ADDRESS }));
    return await simulation.until(run(connection), LIMIT_MS);
  } finally {
    core.uninstall();
  }
}
