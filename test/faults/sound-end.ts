import { RunFailedError } from '../../src/client/index.js';
import type { FaultWorld } from '../support/worlds/fault-world.js';
import { existingOf } from '../support/worlds/marked.js';
import type { HeldRun } from './moments.js';

/** The end of a run, in words, so that a failing test explains itself. */
interface End {
  moment: string;
  phase: string;
  /** Number of create calls that the API received. */
  creates: number;
  instances: number;
  /** Ids of resources that have the run's marker but that the run does not name. */
  unnamed: string[];
  /** Ids that the run names but that do not exist. */
  gone: string[];
}

/** Waits until all runs have ended. */
export function endsOf(world: FaultWorld, runs: readonly HeldRun[]): Promise<End[]> {
  return Promise.all(runs.map((run) => endOf(world, run)));
}

/** The ends of runs that no fault has harmed. */
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
