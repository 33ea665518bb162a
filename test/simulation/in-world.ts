import { resolve } from 'node:path';

import type { SimulatorState } from '../../src/simulator/index.js';
import type { Limits } from './temporal/create-server.js';
import { simulate } from './time/run.js';
import { createChaos } from './world/chaos.js';
import { DEFAULT_WORKER_SETTINGS } from './world/machine-room.js';
import { createStory } from './world/story.js';
import { openWorld, type World } from './world/world.js';

interface InWorldOptions {
  state: SimulatorState;
  seed?: number;
  /** After each answer of the Temporal server. */
  onAnswer?: (world: World) => void;
  /** Of the Temporal server. */
  limits?: Partial<Limits>;
}

export const BUILT_BUNDLE = resolve('dist/workflow-bundle.js');

/**
 * Runs `test` in a world in which nothing goes wrong by itself, with one worker process, at the pace of the real API. Where a
 * process has to be killed or a command to be run; any other test is a scenario.
 */
export function inWorld<T>(
  { state, seed = 1, onAnswer, limits = {} }: InWorldOptions,
  test: (world: World) => Promise<T>,
): Promise<T> {
  return simulate(seed, async (simulation) => {
    const chaos = createChaos({ seed, odds: {} });
    const story = createStory(simulation.clock, { silent: true });
    const opened: { world?: World } = {};
    const world = await openWorld({
      ...{ simulation, seed, state, chaos, story, bundle: BUILT_BUNDLE, limits },
      onCall: () => undefined,
      onAnswer: () => {
        if (opened.world !== undefined) onAnswer?.(opened.world);
      },
    });
    opened.world = world;
    try {
      world.room.start({ ...DEFAULT_WORKER_SETTINGS, requestsPerSecond: 100 });
      return await simulation.until(test(world));
    } finally {
      world.close();
    }
  });
}
