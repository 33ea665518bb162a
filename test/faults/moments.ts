import type { FaultRule } from '../../src/simulator/index.js';
import type { FaultWorld } from '../support/worlds/fault-world.js';
import { createGate } from '../support/timing/gate.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { until } from '../support/timing/until.js';

/** A moment in the life of a run at which something may break. */
export interface Moment {
  name: string;
  /** The faults that lead a run to this moment and hold it there until `opened`. */
  faults(calls: Calls, opened: Promise<void>): FaultRule[];
  isReached(world: FaultWorld, run: { workflowId: string; calls: Calls }): Promise<boolean>;
  /** How the run ends, whatever breaks. */
  end: 'succeeded' | 'failed';
}

/** A run that is held at its moment. */
export interface HeldRun {
  moment: Moment;
  workflowId: string;
  calls: Calls;
}

type Calls = ReturnType<typeof callsOf>;

/** A project and a region. Each run has its own, so the path of a call shows its run. */
interface Place {
  projectId: number;
  regionId: number;
}

const PLACES: Place[] = [1, 2].flatMap((projectId) =>
  [1, 2, 76].map((regionId) => ({ projectId, regionId })),
);

function callsOf({ projectId, regionId }: Place) {
  const instances = `/cloud/v1/instances/${projectId}/${regionId}`;
  return {
    create: { method: 'POST', path: `/cloud/v2/instances/${projectId}/${regionId}` },
    list: { method: 'GET', path: instances },
    look: { method: 'GET', path: new RegExp(`^${instances}/.`) },
    remove: { method: 'DELETE', path: new RegExp(`^${instances}/.`) },
  };
}

const isInFlight = (
  { simulator }: FaultWorld,
  { method, path }: { method: string; path: string | RegExp },
): Promise<boolean> =>
  Promise.resolve(
    simulator.inFlight().some((call) => call.method === method && call.path.search(path) === 0),
  );

/** The run has asked whether an earlier try made the instance, and has no answer. */
const BEFORE_SENDING: Moment = {
  name: 'before the create is sent',
  faults: ({ list }, opened) => [{ match: list, action: { kind: 'delay', until: opened } }],
  isReached: (world, { calls }) => isInFlight(world, calls.list),
  end: 'succeeded',
};

export const IN_FLIGHT: Moment = {
  name: 'while the create is in flight, received but not carried out',
  faults: ({ create }, opened) => [{ match: create, action: { kind: 'delay', until: opened } }],
  isReached: (world, { calls }) => isInFlight(world, calls.create),
  end: 'succeeded',
};

export const ANSWERING: Moment = {
  name: 'while the create is carried out, its answer on the way',
  faults: ({ create }, opened) => [
    { match: create, action: { kind: 'delay', until: opened, afterProcessing: true } },
  ],
  isReached: (world, { calls }) => isInFlight(world, calls.create),
  end: 'succeeded',
};

export const WAITING: Moment = {
  name: 'during a wait',
  faults: () => [],
  isReached: async ({ gcore }, { workflowId }) => {
    const { steps } = await gcore.status(workflowId);
    return steps[0]?.state === 'waiting';
  },
  end: 'succeeded',
};

/**
 * The shortest way to a rollback. The answer of the create is lost, so the run looks for its instance
 * and finds it immediately. The API then refuses the read that verifies it, so the run removes it.
 */
export const ROLLING_BACK: Moment = {
  name: 'during rollback',
  faults: ({ create, look, remove }, opened) => [
    { match: create, action: { kind: 'drop-response' } },
    { match: look, action: { kind: 'status', status: 400 } },
    { match: remove, action: { kind: 'delay', until: opened } },
  ],
  isReached: (world, { calls }) => isInFlight(world, calls.remove),
  end: 'failed',
};

export const MOMENTS = [BEFORE_SENDING, IN_FLIGHT, ANSWERING, WAITING, ROLLING_BACK];

/**
 * Starts one run for each moment and waits until each is held at its moment. All are held at the same
 * time, so one failure hits all of them. `letGo` answers the held calls.
 */
export async function holdRuns(
  world: FaultWorld,
  moments: readonly Moment[],
): Promise<{ runs: HeldRun[]; letGo: () => void }> {
  const gate = createGate();
  const runs: HeldRun[] = [];
  for (const [index, moment] of moments.entries()) {
    const place = PLACES[index];
    if (place === undefined) throw new RangeError('There are more moments than places');
    const calls = callsOf(place);
    for (const rule of moment.faults(calls, gate.opened)) world.simulator.faults.add(rule);
    const { workflowId } = await world.gcore.start('provisionInstance', {
      requestId: `run-${index}`,
      input: provisionInput({}, place),
    });
    runs.push({ moment, workflowId, calls });
  }
  for (const run of runs) await until(run.moment.name, () => run.moment.isReached(world, run));
  return { runs, letGo: gate.open };
}
