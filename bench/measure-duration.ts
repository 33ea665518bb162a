import { DEFAULT_POLL_POLICY } from '../src/contract/wire/tasks.js';
import { scalePollPolicy } from '../src/engine/core/run-policy.js';
import { createSimulator } from '../src/simulator/index.js';
import { CREATE_PATH, provisionInput } from '../test/support/inputs/provision-input.js';
import type { RunFigures } from './measure-run.js';
import { measureScenario, runNaive, runProduct } from './measure-scenario.js';

/** Ways to wait for a task: the product with its watcher, the product with timers only, the usual timer loop. */
export const WAYS = ['watcher', 'timers', 'naive'] as const;
export type Way = (typeof WAYS)[number];

/** The duration of the create task of one run. */
export interface Duration {
  taskSeconds: number;
  /** Factor by which the task and the polls are faster than in reality. */
  speed: number;
}

export const NAIVE_POLL_MS = 3_000;
const SEED = 1;

/** Measures one run. The times are those at speed 1. */
export async function measureDuration(duration: Duration, way: Way): Promise<RunFigures> {
  const { taskSeconds, speed } = duration;
  const poll = scalePollPolicy(DEFAULT_POLL_POLICY, 1 / speed);
  const options = {
    seed: SEED,
    // The simulator draws the duration from the seed. This speed turns it into `taskSeconds`.
    speed: (speed * (await drawnSeconds())) / taskSeconds,
    policy: { poll, watcher: way === 'watcher' },
    replays: false,
  };
  const figures = await measureScenario(options, (scenario) =>
    way === 'naive' ? runNaive(scenario, NAIVE_POLL_MS / speed) : runProduct(scenario),
  );
  return {
    ...figures,
    seconds: figures.seconds * speed,
    noticedAfterSeconds: figures.noticedAfterSeconds * speed,
  };
}

/** Seconds that the create task of a new simulator with this seed takes at a time scale of 1. */
async function drawnSeconds(): Promise<number> {
  const simulator = createSimulator({ seed: SEED, apiKey: 'drawn' });
  await simulator.fetch(`http://simulator${CREATE_PATH}`, {
    method: 'POST',
    headers: { authorization: 'apikey drawn', 'content-type': 'application/json' },
    body: JSON.stringify(provisionInput().instance),
  });
  const [task] = simulator.snapshot().tasks;
  if (task === undefined) throw new Error('The simulator did not accept the create call');
  return (task.endsAt - task.createdAt) / 1000;
}
