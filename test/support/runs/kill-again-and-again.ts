import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

import type { FaultWorld } from '../worlds/fault-world.js';
import type { WorkerProcess } from '../workers/worker-process.js';

export interface Killing {
  /** Number of times that the only worker gets `kill -9`. */
  kills: number;
  /** The minimum number of requests of the run. The kills are spread evenly over them. */
  minimum: number;
  worker: WorkerProcess;
  ended: Promise<unknown>;
  onProgress?: (text: string) => void;
}

const SAMPLE_MS = 100;

/** Kills the worker of a run several times. Returns samples of the worker's memory, in MiB. */
export async function killAgainAndAgain(
  world: FaultWorld,
  { kills, minimum, worker: first, ended, onProgress }: Killing,
): Promise<{ kills: number; memory: number[] }> {
  const memory: number[] = [];
  let worker = first;
  let killed = 0;
  const run = { isOpen: true };
  void ended.finally(() => {
    run.isOpen = false;
  });
  while (run.isOpen) {
    await delay(SAMPLE_MS);
    memory.push(residentMiB(worker));
    const isDue = world.simulator.requests.length >= ((killed + 0.5) * minimum) / kills;
    if (killed >= kills || !isDue) continue;
    killed += 1;
    await world.killWorkers();
    worker = await world.startWorker();
    onProgress?.(`kill ${killed} of ${kills}, ${world.simulator.requests.length} requests`);
  }
  return { kills: killed, memory };
}

function residentMiB({ child }: WorkerProcess): number {
  try {
    const text = execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' });
    return Math.round(Number(text) / 1024);
  } catch {
    return 0;
  }
}
