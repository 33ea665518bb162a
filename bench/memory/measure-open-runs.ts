import { setTimeout as delay } from 'node:timers/promises';

import { inBenchWorld } from '../bench-world.js';
import { percentile } from '../percentile.js';
import { residentMibOf } from '../process-usage.js';
import type { OpenWay, Way } from '../waiting/ways.js';

export interface OpenRunsPlan {
  /** Numbers of open runs at which the memory is read, growing. */
  steps: readonly number[];
  /** Between the last start of a step and its samples. */
  settleMs: number;
}

export interface OpenRunsSample {
  runs: number;
  residentMib: number;
}

/** No task ends while the bench runs. */
const HOURS = 240;
const SAMPLES = 21;
const SAMPLE_MS = 250;

/** Resident memory of one worker process while more and more runs wait in it. */
export function measureOpenRuns(
  way: Way,
  { steps, settleMs }: OpenRunsPlan,
): Promise<OpenRunsSample[]> {
  return inBenchWorld({ timeScale: HOURS }, async (world) => {
    const open = await way.open(world);
    const created = (): number => world.simulator.snapshot().tasks.length;
    const samples: OpenRunsSample[] = [];
    try {
      for (const runs of steps) {
        await beginUntil(runs, { open, created });
        await delay(settleMs);
        samples.push({ runs, residentMib: await medianResident(open.pid) });
      }
    } finally {
      await open.close?.();
    }
    return samples;
  });
}

/** Runs that have not sent their create call at a time. */
const MAX_UNSENT = 40;

async function beginUntil(
  runs: number,
  { open, created }: { open: OpenWay; created: () => number },
): Promise<void> {
  for (let index = created(); index < runs; index++) {
    while (index - created() > MAX_UNSENT) await delay(100);
    await open.begin(index);
  }
  while (created() < runs) await delay(100);
}

/** A collection of garbage may come at any moment. */
async function medianResident(pid: number | undefined): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    samples.push(residentMibOf(pid));
    await delay(SAMPLE_MS);
  }
  return percentile(samples, 50);
}
