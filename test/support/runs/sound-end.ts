import { RunFailedError } from '../../../src/client/index.js';
import type { FaultWorld } from '../worlds/fault-world.js';
import { existingOf } from '../worlds/marked.js';
import type { HeldRun } from './moments.js';

/** What matters of a run that has ended; in words, so that a failing test explains itself. */
interface End {
  moment: string;
  phase: string;
  /** How often the create was received. */
  creates: number;
  instances: number;
  /** Everything under the marker that the run does not name, and the other way round. */
  unnamed: string[];
  gone: string[];
}

/** Waits for the ends of the runs. */
export function endsOf(world: FaultWorld, runs: readonly HeldRun[]): Promise<End[]> {
  return Promise.all(runs.map((run) => endOf(world, run)));
}

/** How runs end that nothing has harmed. */
export function soundEndsOf(runs: readonly HeldRun[]): End[] {
  return runs.map(({ moment: { name, end } }) => ({
    moment: name,
    phase: end,
    creates: 1,
    instances: end === 'succeeded' ? 1 : 0,
    unnamed: [],
    gone: [],
  }));
}

async function endOf(world: FaultWorld, { moment, workflowId, calls }: HeldRun): Promise<End> {
  await waitForEnd(world, workflowId);
  const { phase, steps } = await world.gcore.status(workflowId);
  const inventory = world.simulator.inventory();
  const { ledger, existing } = existingOf({ steps }, { workflowId, inventory });
  return {
    moment: moment.name,
    phase,
    creates: world.simulator.requests.filter(
      ({ method, path }) => method === calls.create.method && path === calls.create.path,
    ).length,
    instances: inventory.instances.filter(({ id }) => existing.includes(id)).length,
    unnamed: existing.filter((id) => !ledger.includes(id)),
    gone: ledger.filter((id) => !existing.includes(id)),
  };
}

async function waitForEnd({ gcore }: FaultWorld, workflowId: string): Promise<void> {
  try {
    await gcore.result('provisionInstance', workflowId);
  } catch (error) {
    if (!(error instanceof RunFailedError)) throw error;
  }
}
