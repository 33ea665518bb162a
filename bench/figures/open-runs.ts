import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

import { defineBench, number, numbers } from '../bench.js';
import { residentMibOf } from '../processes.js';
import { percentile, slopeOf } from '../statistics.js';
import { inBenchWorld } from '../worlds.js';
import { WAYS, type OpenWay } from './ways.js';

const MIB_PER_GIB = 1_024;
const KIB_PER_MIB = 1_024;
/** No task ends while the bench runs. */
const TIME_SCALE = 240;
const SAMPLES = 21;
const SAMPLE_MS = 250;
/** Runs that have not sent their create call at a time. */
const MAX_UNSENT = 40;

interface Sample {
  runs: number;
  residentMib: number;
}

export const openRuns = defineBench({
  id: 'open-runs',
  title: 'Memory of open runs',
  summary: 'memory of a worker process by the number of runs that wait in it, beside two loops',
  minutes: 6,
  columns: [
    { key: 'way', title: 'way' },
    { key: 'runs', title: 'open runs' },
    { key: 'resident', title: 'resident', unit: 'MiB' },
    { key: 'perRun', title: 'per run', unit: 'KiB' },
    { key: 'perGib', title: 'runs per GiB' },
  ],
  page: {
    about: `Resident memory of one worker process in which more and more runs wait for a task, all of them cached. A row is a number of runs, with
the median of five seconds; *per run* is the slope by least squares over all rows. A worker caches 1,000 runs and drops the run that it has not used
longest, which costs a replay and loses nothing: open runs are not limited by this. Beside it the loops of *Many runs that wait*.`,
    chart: { kind: 'line', x: 'runs', series: 'way', panels: [['resident']] },
  },
  settings: z.strictObject({
    /** Numbers of open runs at which the memory is read, growing. */
    steps: numbers(0, 200, 400, 600, 800, 1_000),
    /** Between the last start of a step and its samples. */
    settleSeconds: number(10),
  }),
  parts: {
    provisionInstance: {},
    'timer and activity, 3 s': {},
    'poll of 3 s, no Temporal': {},
  },
  quick: { steps: '0,5,10', settleSeconds: 0.5 },
  async measure({ steps, settleSeconds }, part) {
    const samples = await measureSteps(part, steps, settleSeconds * 1_000);
    const mib = slopeOf(samples.map(({ runs, residentMib }) => ({ x: runs, y: residentMib })));
    const slope = { perRun: mib * KIB_PER_MIB, perGib: Math.round(MIB_PER_GIB / Math.max(mib, 0)) };
    const rows = samples.map(({ runs, residentMib }, index) => ({
      way: part,
      runs,
      resident: residentMib,
      ...(index === samples.length - 1 && slope),
    }));
    return { rows };
  },
});

function measureSteps(name: string, steps: readonly number[], settleMs: number): Promise<Sample[]> {
  const way = WAYS.find((each) => each.name === name);
  if (way === undefined) throw new Error(`No way ${name}`);
  return inBenchWorld({ timeScale: TIME_SCALE }, async (world) => {
    const open = await way.open(world);
    const created = (): number => world.simulator.snapshot().tasks.length;
    const samples: Sample[] = [];
    try {
      for (const runs of steps) {
        await beginUntil(runs, open, created);
        await delay(settleMs);
        samples.push({ runs, residentMib: await medianResident(open.pid, SAMPLE_MS) });
      }
    } finally {
      await open.close?.();
    }
    return samples;
  });
}

async function beginUntil(runs: number, open: OpenWay, created: () => number): Promise<void> {
  for (let index = created(); index < runs; index++) {
    while (index - created() > MAX_UNSENT) await delay(100);
    await open.begin(index);
  }
  while (created() < runs) await delay(100);
}

/** A collection of garbage may come at any moment. */
export async function medianResident(pid: number | undefined, everyMs: number): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    await delay(everyMs);
    samples.push(residentMibOf(pid));
  }
  return percentile(samples, 50);
}
