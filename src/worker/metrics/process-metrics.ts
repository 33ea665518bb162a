import { monitorEventLoopDelay } from 'node:perf_hooks';

import { VERSION } from '../../contract/version.js';
import { readBuildId } from '../build-id.js';
import type { CutShortDeps } from '../cut-short.js';
import type { WorkerHealth } from '../health/worker-health.js';
import { countByVisibility, countRunsForEver } from './count-runs.js';
import type { WorkerInstruments } from './instruments.js';
import type { Sampler } from './sampler.js';

export interface ProcessMetricsOptions {
  metrics: WorkerInstruments;
  sampler: Sampler;
  health: WorkerHealth;
  deps: CutShortDeps;
  /** Without the search attributes runs cannot be counted by phase. */
  searchAttributes: boolean;
  signal: AbortSignal;
}

/** Short enough to see a stop of a tenth of a second. */
const RESOLUTION_MS = 50;

/** Measures the process itself, and counts the runs of its namespace. */
export function measureProcess(options: ProcessMetricsOptions): void {
  const { metrics, sampler, health, deps, searchAttributes, signal } = options;
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  loop.enable();
  sampler.add('process', () => {
    metrics.workerEventLoopDelay(Math.max(loop.max / 1e9 - RESOLUTION_MS / 1000, 0), {});
    loop.reset();
    void tellHealth(metrics, health);
  });
  void tellBuild(metrics);
  if (!searchAttributes) return;
  void countRunsForEver({
    count: countByVisibility(deps),
    processes: health.processes,
    signal,
    onCounted: (counts) => {
      for (const { operation, phase, runs } of counts) metrics.runs(runs, { operation, phase });
      metrics.runsCountedAt(Math.round(Date.now() / 1000), {});
    },
  });
}

async function tellHealth(metrics: WorkerInstruments, health: WorkerHealth): Promise<void> {
  const checks = await health.ready();
  for (const { name, ok } of checks) metrics.workerReady(ok ? 1 : 0, { check: name });
  metrics.workerReady(checks.every(({ ok }) => ok) ? 1 : 0, { check: 'all' });
  const skewMs = health.skewMs();
  if (skewMs !== undefined) metrics.workerClockSkew(Math.abs(skewMs) / 1000, {});
}

async function tellBuild(metrics: WorkerInstruments): Promise<void> {
  metrics.workerInfo(1, { version: VERSION, build: (await readBuildId()) ?? 'unknown' });
}
