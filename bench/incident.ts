/**
 * `npm run bench:incident -- [--bulk 10000] [--alerts 20]`: time from an alert to the PATCH that
 * protects the address, at 10 requests per second and in real time. Measured three times: alone, while
 * many bulk runs of the same account start, and while the calls of those runs wait in its queue.
 */
import { parseArgs } from 'node:util';

import { measureIncident } from './incident/measure-incident.js';
import { percentile } from './percentile.js';
import { withTemporal } from './with-temporal.js';

const { values } = parseArgs({
  options: {
    bulk: { type: 'string', default: '10000' },
    alerts: { type: 'string', default: '20' },
  },
});

await withTemporal({}, async () => {
  const figures = await measureIncident({
    bulk: Number(values.bulk),
    alerts: Number(values.alerts),
    onProgress: (text) => process.stdout.write(`bulk: ${text}\n`),
  });
  for (const { situation, latencies } of figures) {
    const [p50, p95, max] = [50, 95, 100].map((percent) => percentile(latencies, percent));
    process.stdout.write(
      `alert to PATCH, ${situation}: p50 ${p50} ms, p95 ${p95} ms, max ${max} ms (${latencies.length} alerts)\n`,
    );
  }
});
