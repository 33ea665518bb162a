import { z } from 'zod';

import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { scalePollPolicy } from '../../src/engine/core/run-policy.js';
import { createSimulator } from '../../src/simulator/index.js';
import { CREATE_PATH, provisionInput } from '../../test/support/inputs/provision-input.js';
import { inScenario } from '../../test/support/runs/scenario.js';
import { defineBench, number } from '../bench.js';
import type { FigureRow, Measured } from '../document/figure.js';
import { runNaive, runProduct, type RunFigures } from '../measure-run.js';
import { withTemporal } from '../worlds.js';

/** Ways to wait for a task: the product with its watcher, the product with timers only, the usual timer loop. */
const WAYS = ['watcher', 'timers', 'naive'] as const;
type Way = (typeof WAYS)[number];

/** The duration of the create task of one run. */
interface Duration {
  taskSeconds: number;
  /** Factor by which the task and the polls are faster than in reality. */
  speed: number;
}

interface Run extends RunFigures {
  duration: Duration;
  way: Way;
}

const NAIVE_POLL_MS = 3_000;
const SEED = 1;
/** For a task of two hours. */
const MAX_EVENTS = { watcher: 120, timers: 700 } as const;

const NOTES = [
  'Speed: the simulator and the polls are faster by this factor; the seconds are multiplied back.',
  'Not scaled: round trips and late timers (20 to 50 ms), so fast loops look less often than in real time (last column); heartbeats; limits of an hour or more.',
  'In real time the watching activity ends after an hour and the server retries it, which adds no event to the history.',
];

export const durations = defineBench({
  id: 'durations',
  title: 'Tasks of 30 s, 5 min and 2 h',
  summary:
    'events and requests of a run by how long its task takes; at most 120 events for two hours',
  minutes: 14,
  columns: [
    { key: 'task', title: 'task', unit: 's' },
    { key: 'speed', title: 'speed' },
    { key: 'way', title: 'way' },
    { key: 'events', title: 'events' },
    { key: 'eventShare', title: 'of the naive loop', unit: '%' },
    { key: 'kib', title: 'history', unit: 'KiB' },
    { key: 'requests', title: 'requests' },
    { key: 'requestShare', title: 'of the naive loop', unit: '%' },
    { key: 'late', title: 'end noticed after', unit: 's' },
    { key: 'every', title: 'a read every', unit: 's' },
  ],
  // At this speed two hours take ten minutes; 1 is real time. `longest` is the task of two hours.
  settings: z.strictObject({ speed: number(12), longest: number(7_200), middle: number(300) }),
  quick: { speed: 60, longest: 360, middle: 60 },
  measure: (plan) => withTemporal({ exactTimers: true }, () => measureLanes(plan)),
});

/** Lanes run in parallel. Runs of one lane run one after the other, so that short runs are not disturbed. */
async function measureLanes(plan: {
  speed: number;
  longest: number;
  middle: number;
}): Promise<Measured> {
  const long = { taskSeconds: plan.longest, speed: plan.speed };
  const inRealTime = { taskSeconds: plan.middle, speed: 1 };
  const short = [
    { taskSeconds: 30, speed: 1 },
    // These two show how much the speed distorts the figures.
    { taskSeconds: 30, speed: plan.speed },
    { taskSeconds: plan.middle, speed: plan.speed },
  ];
  const runs = (await Promise.all([[long], [inRealTime], short].map(measureLane))).flat();
  const naiveOf = ({ duration }: Run): Run | undefined =>
    runs.find((other) => other.way === 'naive' && other.duration === duration);
  const loop = runs.find(({ duration, way }) => duration === inRealTime && way === 'naive');
  return {
    rows: runs.map((run) => toRow(run, naiveOf(run))),
    remarks: [...NOTES, ...(loop === undefined ? [] : [extrapolate(loop, plan.longest)])],
    checks: runs.filter(({ duration }) => duration === long).flatMap(toCheck),
  };
}

async function measureLane(lane: readonly Duration[]): Promise<Run[]> {
  const runs: Run[] = [];
  for (const duration of lane) {
    const ways = WAYS.map(async (way) => ({
      duration,
      way,
      ...(await measureDuration(duration, way)),
    }));
    runs.push(...(await Promise.all(ways)));
  }
  return runs;
}

function toRow(run: Run, naive: Run | undefined): FigureRow {
  const share = (figure: 'events' | 'requests'): number =>
    (100 * run[figure]) / (naive?.[figure] ?? Number.NaN);
  const { taskSeconds: task, speed } = run.duration;
  const { way, events, requests, noticedAfterSeconds: late } = run;
  return {
    task,
    speed,
    way,
    events,
    requests,
    late,
    eventShare: share('events'),
    requestShare: share('requests'),
    kib: run.historyBytes / 1_024,
    every: task / run.taskReads,
  };
}

function toCheck({ way, events, eventTypes, duration }: Run) {
  if (way === 'naive') return [];
  const kept = events <= MAX_EVENTS[way];
  const types = kept ? '' : `: ${[...eventTypes].map((type) => type.join(' ')).join(', ')}`;
  const promise = `At most ${MAX_EVENTS[way]} events for ${duration.taskSeconds} s with ${way} (${events}${types})`;
  return [{ promise, kept }];
}

/** A timer, an activity and the workflow task after each. */
const EVENTS_PER_READ = 11;

/** What the loop would need for the longest task at its pace in real time. */
function extrapolate({ duration, events, requests, taskReads }: Run, longest: number): string {
  const moreReads = Math.round(taskReads * (longest / duration.taskSeconds - 1));
  return `The naive loop for ${longest} s, extrapolated from its ${duration.taskSeconds} s in real time: ${events + moreReads * EVENTS_PER_READ} events, ${requests + moreReads} requests.`;
}

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
  const figures = await inScenario(options, (scenario) =>
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
