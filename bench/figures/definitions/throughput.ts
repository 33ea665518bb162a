import { measureThroughput } from '../../throughput/measure-throughput.js';
import type { FigureDefinition } from '../definition.js';

const PLANS = {
  full: { runs: 1_000, atOnce: 64, warmUp: 100 },
  quick: { runs: 6, atOnce: 3, warmUp: 2 },
} as const;

export const throughput: FigureDefinition = {
  id: 'throughput',
  title: 'Runs a second',
  about: `64 runs are open at a time; as soon as one ends, the next begins. 1,000 runs of each kind, one worker process, the simulated
cloud 50 times as fast as in reality, server, worker, client and simulator on the same cores. *One activity* and *create in a timer loop* are workflows as in
Temporal's samples, without any of this product's safeguards, on the same server. Another server: \`TEMPORAL_ADDRESS=… npm run bench:all -- --only throughput
--server-label NAME\`, which must have no other worker of this product.`,
  columns: [
    { key: 'server', title: 'Temporal server' },
    { key: 'workload', title: 'runs' },
    { key: 'perSecond', title: 'runs a second' },
    { key: 'p50', title: 'start to result p50', unit: 'ms' },
    { key: 'p95', title: 'start to result p95', unit: 'ms' },
    { key: 'events', title: 'events per run' },
    { key: 'cpu', title: 'CPU of the worker per run', unit: 'ms' },
  ],
  chart: { kind: 'bar', x: 'workload', series: 'server', panels: [['perSecond'], ['p95']] },
  parts: 'per server',
  minutes: 3,
  async measure(server, size) {
    const address = process.env['TEMPORAL_ADDRESS'];
    const figures = await measureThroughput({ address, ...PLANS[size] });
    return {
      rows: figures.map(({ eventsPerRun: events, cpuMsPerRun, ...figure }) => ({
        server,
        ...figure,
        events,
        cpu: Number.isFinite(cpuMsPerRun) ? cpuMsPerRun : null,
      })),
    };
  },
};
