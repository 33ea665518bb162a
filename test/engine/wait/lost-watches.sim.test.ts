import { resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { createSimulator, type SimulatorState } from '../../../src/simulator/index.js';
import { textsAt } from '../../simulation/judge/facts/values.js';
import { simulate, type Simulation } from '../../simulation/time/run.js';
import { createChaos } from '../../simulation/world/chaos.js';
import type { WorkerProcess } from '../../simulation/world/machine-room.js';
import type { CallRecord } from '../../simulation/world/records.js';
import { createStory } from '../../simulation/world/story.js';
import { openWorld, type World } from '../../simulation/world/world.js';

const SECOND = 1_000;
const PROMISED_MS = 90 * SECOND;
const PROCESSES = 3;
const RUNS = 30;
const ROUNDS = 1;
const STARTED_EVERY_MS = 3 * SECOND;
/** The last runs begin after the last poll that was open at the fault. */
const FAULT_AFTER_MS = 45 * SECOND;

type Fault = (world: World, worker: WorkerProcess, simulation: Simulation) => void;

/** Each happens to the process that watches for longest, with watches in hand and polls open. */
const FAULTS: Record<string, Fault> = {
  'is killed': (_, { process }) => {
    process.kill();
  },
  'is gone with its machine': (_, { process }) => {
    process.kill('machine');
  },
  'stands still for two minutes': (_, { process }, { clock }) => {
    process.freeze();
    clock.after(120 * SECOND, () => {
      process.wake();
    });
  },
  'stands still until its lease has just run out': (_, { process }, { clock }) => {
    process.freeze();
    clock.after(17 * SECOND, () => {
      process.wake();
    });
  },
  'is cut off for two minutes': (world, { process }, { clock }) => {
    world.cut(process, 'Temporal');
    clock.after(120 * SECOND, () => {
      world.mend(process);
    });
  },
  'is cut off for a few seconds': (world, { process }, { clock }) => {
    world.cut(process, 'Temporal');
    clock.after(11 * SECOND, () => {
      world.mend(process);
    });
  },
  leaves: (_, worker) => {
    void worker.stop();
  },
};

/** In milliseconds: how long after the end of its task, or after the fault, each run went on. */
function latenesses(fault: Fault, seed: number): Promise<number[]> {
  return simulate(seed, async (simulation) => {
    const { clock, draw } = simulation;
    const calls: CallRecord[] = [];
    const world = await openWorld({
      simulation,
      seed,
      state: createSimulator().snapshot(),
      chaos: createChaos({ seed, odds: {} }),
      story: createStory(clock, { silent: true }),
      bundle: resolve('dist/workflow-bundle.js'),
      onCall: (call) => calls.push(call),
    });
    try {
      const [first] = Array.from({ length: PROCESSES }, () => world.room.start());
      await simulation.pass(20 * SECOND);
      const faultAt = clock.now() + FAULT_AFTER_MS + draw.number(0, STARTED_EVERY_MS);
      clock.after(faultAt - clock.now(), () => {
        if (first !== undefined) fault(world, first, simulation);
      });
      const ids: string[] = [];
      for (let at = 0; at < RUNS; at += 1) {
        const { workflowId } = await simulation.until(
          world.gcore.start('createVolume', volume(at)),
        );
        ids.push(workflowId);
        await simulation.pass(STARTED_EVERY_MS);
      }
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

function volume(at: number) {
  const input = { source: 'new-volume', name: `data-${at}`, size: 5 } as const;
  return { requestId: `data-${at}`, input };
}

/** The watch itself makes the first call of a run after the end of its task. */
function lateness(
  calls: readonly CallRecord[],
  { tasks, id, faultAt }: { tasks: SimulatorState['tasks']; id: string; faultAt: number },
): number {
  const own = calls.filter(({ workflowId }) => workflowId === id);
  const [taskId] = own.flatMap(({ method, answer }) =>
    method === 'POST' ? textsAt(answer, 'tasks') : [],
  );
  const endsAt = tasks.find((task) => task.id === taskId)?.endsAt ?? Infinity;
  const wentOnAt = own.find(({ at }) => at >= endsAt)?.at ?? Infinity;
  return wentOnAt - Math.max(endsAt, wentOnAt > faultAt ? faultAt : 0);
}

describe('no run learns of the end of its task later than half a minute and a poll after its watcher', () => {
  it.each(Object.entries(FAULTS))('%s', async (_, fault) => {
    const late: number[] = [];
    for (let seed = 1; seed <= ROUNDS; seed += 1) late.push(...(await latenesses(fault, seed)));

    expect(late).toHaveLength(ROUNDS * RUNS);
    expect(Math.max(...late)).toBeLessThanOrEqual(PROMISED_MS);
  });
});
