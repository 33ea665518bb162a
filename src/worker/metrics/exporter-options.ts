import { isIPv6 } from 'node:net';

import type { MetricsExporterConfig } from '@temporalio/worker';

import type { Metric } from '../../engine/core/metrics.js';
import { WORKER_METRICS } from '../../contract/metrics.js';
import { WORKFLOW_METRICS } from '../../contract/wire/product.js';

/** How the SDK serves its own metrics and ours, on one port. */
export function exporterOptions({
  host,
  port,
}: {
  host: string;
  port: number;
}): MetricsExporterConfig {
  const tables: Metric[] = [...Object.values(WORKER_METRICS), ...Object.values(WORKFLOW_METRICS)];
  const buckets: Record<string, number[]> = {};
  for (const { name, buckets: bounds } of tables) {
    if (bounds !== undefined) buckets[name] = [...bounds];
  }
  return {
    prometheus: {
      bindAddress: isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`,
      countersTotalSuffix: true,
      unitSuffix: true,
      useSecondsForDurations: true,
      histogramBucketOverrides: buckets,
    },
  };
}
