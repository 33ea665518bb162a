import { randomUUID } from 'node:crypto';

import { DEFAULT_POLL_POLICY, scalePollPolicy } from '../src/contract/run-policy.js';
import { createSimulator } from '../src/simulator/index.js';
import { CREATE_PATH, provisionInput } from '../test/support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../test/support/runs/scenario.js';
import { measureRun, type RunFigures } from './measure-run.js';
import { createNaiveWorker } from './naive/create-naive-worker.js';

/** Ways to wait for a task: ours with a worker that watches, ours without, the usual timer loop. */
export const WAYS = ['watcher', 'timers', 'naive'] as const;
export type Way = (typeof WAYS)[number];

/** One run whose create task takes so long, with task and polls so many times faster than in reality. */
export interface Duration {
  taskSeconds: number;
  speed: number;
}

export const NAIVE_POLL_MS = 3_000;
const SEED = 1;

/** Figures of one run that has simulator and workers for itself; times as they are at speed 1. */
export async function measureDuration(duration: Duration, way: Way): Promise<RunFigures> {
  const { taskSeconds, speed } = duration;
  const poll = scalePollPolicy(DEFAULT_POLL_POLICY, 1 / speed);
  const options = {
    seed: SEED,
    // The simulator draws the duration from the seed: its clock is set so that the draw comes true.
    speed: (speed * (await drawnSeconds())) / taskSeconds,
    policy: { poll, watcher: way === 'watcher' },
    replays: false,
  };
  const measured: RunFigures[] = [];
  await inScenario(options, async (scenario) => {
    measured.push(await (way === 'naive' ? runNaive(scenario, speed) : runOurs(scenario)));
  });
  const [figures] = measured;
  if (figures === undefined) throw new Error('the scenario ended without figures');
  return {
    ...figures,
    seconds: figures.seconds * speed,
    noticedAfterSeconds: figures.noticedAfterSeconds * speed,
  };
}

async function runOurs({ start, simulator }: Scenario): Promise<RunFigures> {
  return measureRun(await start('provisionInstance', provisionInput()), simulator);
}

async function runNaive(scenario: Scenario, speed: number): Promise<RunFigures> {
  const { client, connection, api, simulator } = scenario;
  const taskQueue = `naive-${randomUUID()}`;
  const worker = await createNaiveWorker({ connection, taskQueue, api });
  const { instance: body } = provisionInput();
  return worker.runUntil(async () => {
    const run = await client.workflow.start('naiveProvision', {
      workflowId: taskQueue,
      taskQueue,
      args: [{ taskQueue, body, pollMs: NAIVE_POLL_MS / speed }],
    });
    return measureRun(run, simulator);
  });
}

/** How long the create task of a fresh simulator with this seed takes at a time scale of 1. */
async function drawnSeconds(): Promise<number> {
  const simulator = createSimulator({ seed: SEED, apiKey: 'drawn' });
  await simulator.fetch(`http://simulator${CREATE_PATH}`, {
    method: 'POST',
    headers: { authorization: 'apikey drawn', 'content-type': 'application/json' },
    body: JSON.stringify(provisionInput().instance),
  });
  const [task] = simulator.snapshot().tasks;
  if (task === undefined) throw new Error('the simulator took no create call');
  return (task.endsAt - task.createdAt) / 1000;
}
