import { measureIncident } from '../../incident/measure-incident.js';
import { percentile } from '../../percentile.js';
import { withTemporal } from '../../with-temporal.js';
import type { FigureDefinition } from '../definition.js';
import type { FigureRow } from '../document/figure.js';

const PLANS = { full: { bulk: 10_000, alerts: 20 }, quick: { bulk: 10, alerts: 1 } } as const;
/** Trigger to PATCH, beside bulk work of 10,000 runs on the same key. */
const MAX_P95_MS = 2_000;

export const incident: FigureDefinition = {
  id: 'incident',
  title: 'From an alert to the PATCH',
  about: `The time from the start of a \`protectIp\` until the PATCH that protects the address reaches the API: alone, while 10,000 bulk runs of the
same account start, and while the calls of these runs wait for a budget of 10 requests a second. 20 alerts each, one every three seconds, in
real time.`,
  columns: [
    { key: 'situation', title: 'beside it' },
    { key: 'p50', title: 'p50', unit: 'ms' },
    { key: 'p95', title: 'p95', unit: 'ms' },
    { key: 'max', title: 'max', unit: 'ms' },
    { key: 'alerts', title: 'alerts' },
  ],
  chart: { kind: 'bar', x: 'situation', panels: [['p50', 'p95', 'max']] },
  parts: ['all situations'],
  minutes: 8,
  async measure(_, size) {
    const rows: FigureRow[] = [];
    await withTemporal({}, async () => {
      for (const { situation, latencies } of await measureIncident(PLANS[size])) {
        const [p50 = null, p95 = null, max = null] = [50, 95, 100].map((percent) =>
          percentile(latencies, percent),
        );
        rows.push({ situation, p50, p95, max, alerts: latencies.length });
      }
    });
    return {
      rows,
      checks: [
        {
          promise: `p95 below ${MAX_P95_MS / 1_000} s in every situation`,
          kept: rows.every(({ p95 }) => Number(p95) < MAX_P95_MS),
        },
      ],
    };
  },
};
