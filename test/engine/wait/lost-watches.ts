import { createSimulator, type SimulatorState } from '../../../src/simulator/index.js';
import { textsAt } from '../../simulation/judge/facts/values.js';
import { BUILT_BUNDLE } from '../../simulation/in-world.js';
import { simulate, type Simulation } from '../../simulation/time/run.js';
import { createChaos } from '../../simulation/world/chaos.js';
import {
  DEFAULT_WORKER_SETTINGS,
  type WorkerProcess,
} from '../../simulation/world/machine-room.js';
import type { CallRecord } from '../../simulation/world/records.js';
import { createStory } from '../../simulation/world/story.js';
import type { LosesAnswer } from '../../simulation/world/temporal-link.js';
import { openWorld, type World } from '../../simulation/world/world.js';

const SECOND = 1_000;
const PROCESSES = 3;
/** Half of the runs begin in this time before the fault, and as long the others. */
const STARTED_WITHIN_MS = 35 * SECOND;
/** The lease has run out, and no poll of the process has been given a watch since the fault. */
const QUIET_MS = 20 * SECOND;
/** As many as all runs need: what is measured is no wait for a turn. */
const REQUESTS_PER_SECOND = 100;

interface Struck {
  world: World;
  worker: WorkerProcess;
  clock: Simulation['clock'];
}

interface Happening {
  /** Between the two halves of the runs. */
  fault?: (struck: Struck) => void;
  /** Which answers the process does not get, from then on. */
  loses?: (struck: Struck) => LosesAnswer;
}

/** Each happens to the process that watches for longest, with watches in hand and polls open. */
export const PROCESS_FAULTS: Record<string, NonNullable<Happening['fault']>> = {
  'is killed': ({ worker: { process } }) => {
    process.kill();
  },
  'is gone with its machine': ({ worker: { process } }) => {
    process.kill('machine');
  },
  'stands still for two minutes': ({ worker: { process }, clock }) => {
    process.freeze();
    clock.after(120 * SECOND, () => {
      process.wake();
    });
  },
  'stands still until its lease has just run out': ({ worker: { process }, clock }) => {
    process.freeze();
    clock.after(17 * SECOND, () => {
      process.wake();
    });
  },
  'is cut off for two minutes': ({ world, worker: { process }, clock }) => {
    world.cut(process, 'Temporal');
    clock.after(120 * SECOND, () => {
      world.mend(process);
    });
  },
  'is cut off for a few seconds': ({ world, worker: { process }, clock }) => {
    world.cut(process, 'Temporal');
    clock.after(11 * SECOND, () => {
      world.mend(process);
    });
  },
  leaves: ({ worker }) => {
    void worker.stop();
  },
};

/** The process lives, and does not get the first watch that the server gives it. */
export function losesOneWatch({ worker }: Struck): LosesAnswer {
  let isLost = false;
  return ({ rpc }, answer, from) => {
    if (isLost || from !== worker.process || rpc !== 'PollActivityTaskQueue') return false;
    isLost = isWatch(answer);
    return isLost;
  };
}

function isWatch(answer: object): boolean {
  const type: unknown = Reflect.get(answer, 'activityType');
  return typeof type === 'object' && type !== null && Reflect.get(type, 'name') === 'watchTask';
}

interface Measured {
  seed: number;
  runs: number;
}

/** In milliseconds: how long after the end of its task, or after the fault, each run went on. */
export function latenesses(
  { fault, loses }: Happening,
  { seed, runs }: Measured,
): Promise<number[]> {
  return simulate(seed, async (simulation) => {
    const { clock, draw } = simulation;
    const calls: CallRecord[] = [];
    let losesAnswer: LosesAnswer | undefined;
    const world = await openWorld({
      simulation,
      seed,
      state: createSimulator().snapshot(),
      chaos: createChaos({ seed, odds: {} }),
      story: createStory(clock, { silent: true }),
      bundle: BUILT_BUNDLE,
      onCall: (call) => calls.push(call),
      losesAnswer: (...answered) => losesAnswer?.(...answered) === true,
    });
    try {
      const settings = { ...DEFAULT_WORKER_SETTINGS, requestsPerSecond: REQUESTS_PER_SECOND };
      const [worker] = Array.from({ length: PROCESSES }, () => world.room.start(settings));
      await simulation.pass(20 * SECOND);
      const half = Math.ceil(runs / 2);
      const begin = (from: number, count: number): Promise<string[]> =>
        startEach(simulation, world, { from, count });
      const early = await begin(0, half);
      const faultAt = clock.now();
      if (worker !== undefined) {
        fault?.({ world, worker, clock });
        losesAnswer = loses?.({ world, worker, clock });
      }
      await simulation.pass(QUIET_MS + draw.number(0, 5 * SECOND));
      const ids = [...early, ...(await begin(half, runs - half))];
      await simulation.until(
        Promise.all(ids.map((id) => world.gcore.result('createVolume', id))),
        30 * 60 * SECOND,
      );
      const { tasks } = world.simulator.snapshot();
      return ids.map((id) => lateness(calls, { tasks, id, faultAt }));
    } finally {
      world.close();
    }
  });
}

/** Evenly, one after the other. Gives their Workflow Ids. */
async function startEach(
  simulation: Simulation,
  { gcore }: World,
  { from, count }: { from: number; count: number },
): Promise<string[]> {
  const ids: string[] = [];
  for (let at = from; at < from + count; at += 1) {
    const started = await simulation.until(gcore.start('createVolume', volume(at)));
    ids.push(started.workflowId);
    await simulation.pass(STARTED_WITHIN_MS / count);
  }
  return ids;
}

function volume(at: number) {
  const input = { source: 'new-volume', name: `data-${at}`, size: 5 } as const;
  return { requestId: `data-${at}`, input };
}

/** The first call that does not read the task: a process that is cut off may read it, and can tell nobody. */
function lateness(
  calls: readonly CallRecord[],
  { tasks, id, faultAt }: { tasks: SimulatorState['tasks']; id: string; faultAt: number },
): number {
  const own = calls.filter(({ workflowId }) => workflowId === id);
  const [taskId = ''] = own.flatMap(({ method, answer }) =>
    method === 'POST' ? textsAt(answer, 'tasks') : [],
  );
  const endsAt = tasks.find((task) => task.id === taskId)?.endsAt ?? Infinity;
  const wentOnAt =
    own.find(({ at, path }) => at >= endsAt && !path.includes(taskId))?.at ?? Infinity;
  return wentOnAt - Math.max(endsAt, wentOnAt > faultAt ? faultAt : 0);
}
