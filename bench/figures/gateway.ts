import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { z } from 'zod';

import type { GcoreWorkflows } from '../../src/client/index.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { serveGateway } from '../../src/gateway/serve-gateway.js';
import { gcoreOf, startedPath } from '../../test/support/gateway/gateway-world.js';
import { inScenario, type Scenario } from '../../test/support/runs/scenario.js';
import { until } from '../../test/support/timing/until.js';
import { holdTaskReads } from '../../test/support/worlds/hold-task-reads.js';
import { defineBench, number } from '../bench.js';
import type { FigureRow } from '../document/figure.js';
import { percentile } from '../statistics.js';
import { withTemporal } from '../worlds.js';

const LOCAL = { host: '127.0.0.1', port: 0 };
/** The first calls open connections and compile code. */
const WARM_UP = 20;

const settings = z.strictObject({
  starts: number(200),
  readers: number(2_000),
  changes: number(10),
});
type Plan = z.output<typeof settings>;

/** First the same starts by the client and by HTTP, in turns; then many readers of the events of one run, from a process of their own. */
export const gateway = defineBench({
  id: 'gateway',
  title: 'The gateway',
  summary:
    'a start by HTTP beside one by the client; 2,000 readers of one run: delay, queries, memory',
  minutes: 2,
  columns: [
    { key: 'what', title: 'what' },
    { key: 'p50', title: 'p50', unit: 'ms' },
    { key: 'p95', title: 'p95', unit: 'ms' },
    { key: 'queries', title: 'queries', unit: '1/s' },
    { key: 'before', title: 'memory', unit: 'MB' },
    { key: 'after', title: 'with all readers', unit: 'MB' },
  ],
  settings,
  quick: { starts: 5, readers: 20, changes: 2 },
  measure: (plan) =>
    withTemporal({}, async () => {
      const starts = await inScenario({ replays: false }, (scenario) =>
        measureStarts(scenario, plan.starts),
      );
      const readers = await inScenario({ replays: false, timeoutMs: 600_000 }, (scenario) =>
        measureReaders(scenario, plan),
      );
      return { rows: [...starts, readers] };
    }),
});

function toRow(what: string, times: readonly number[]): FigureRow {
  return { what, p50: percentile(times, 50), p95: percentile(times, 95) };
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await call();
  return performance.now() - startedAt;
}

async function measureStarts(scenario: Scenario, count: number): Promise<FigureRow[]> {
  const gcore = gcoreOf(scenario);
  const server = await serveGateway(createGateway({ gcore, requestsPerSecond: 10_000 }), LOCAL);
  const input = { account: scenario.account };
  const byHttp = async (requestId: string): Promise<void> => {
    const answer = await fetch(`${server.url}/v1/runs/listSshKeys`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': requestId },
      body: JSON.stringify(input),
    });
    const text = await answer.text();
    if (answer.status !== 202) throw new Error(text);
  };
  const [direct, http]: [number[], number[]] = [[], []];
  for (let index = 0; index < count + WARM_UP; index++) {
    direct.push(await timed(() => gcore.start('listSshKeys', { requestId: `d${index}`, input })));
    http.push(await timed(() => byHttp(`h${index}`)));
  }
  await server.close();
  return [
    toRow(`a start by the client (${count})`, direct.slice(WARM_UP)),
    toRow(`a start by the gateway (${count})`, http.slice(WARM_UP)),
  ];
}

async function measureReaders(scenario: Scenario, plan: Plan): Promise<FigureRow> {
  const release = holdTaskReads(scenario.simulator);
  const gcore = gcoreOf(scenario);
  let queries = 0;
  const status = (workflowId: string) => {
    queries += 1;
    return gcore.status(workflowId);
  };
  const app = createGateway({ gcore: { ...gcore, status }, requestsPerSecond: 10_000 });
  const server = await serveGateway(app, LOCAL);
  const path = new URL(await startedPath(scenario)).pathname;
  const id = decodeURIComponent(path.split('/').at(-1) ?? '');
  await until('the run waits', async () => (await gcore.status(id)).phase === 'waiting');
  const before = memoryMb();
  const readers = await openReaders(`${server.url}${path}/events`, plan.readers);
  const [after, askedFrom, from] = [memoryMb(), queries, performance.now()];
  const late = await measureChanges({ gcore, id, heard: readers.heard }, plan);
  const perSecond = ((queries - askedFrom) * 1_000) / (performance.now() - from);
  await readers.close();
  release();
  await fetch(`${server.url}${path}/result?wait=50s`);
  await server.close();
  const what = `change to event (${plan.readers} readers, ${plan.changes} changes)`;
  return { ...toRow(what, late), queries: perSecond, before, after };
}

interface Readers {
  /** When each reader got a document after its first. */
  heard: number[];
  close: () => Promise<void>;
}

/** All readers, once each has its first document. */
async function openReaders(url: string, count: number): Promise<Readers> {
  const script = fileURLToPath(new URL('gateway-readers.js', import.meta.url));
  const child = fork(script, [url, String(count)]);
  const heard: number[] = [];
  let connected = 0;
  child.on('message', (message) => {
    if (message === 'connected') connected += 1;
    else if (typeof message === 'number') heard.push(message);
  });
  await until('all read', () => connected === count);
  return {
    heard,
    async close() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** How long after each change each reader has heard of it. */
async function measureChanges(
  { gcore, id, heard }: { gcore: GcoreWorkflows; id: string; heard: number[] },
  { readers, changes }: Plan,
): Promise<number[]> {
  const late: number[] = [];
  for (let change = 0; change < changes; change++) {
    heard.length = 0;
    await (change % 2 === 0 ? gcore.pause(id) : gcore.resume(id));
    const changedAt = Date.now();
    await until('all have heard', () => heard.length >= readers);
    late.push(...heard.map((time) => Math.max(0, time - changedAt)));
    // Not at the same moment of the second each time.
    await delay(Math.random() * 1_000);
  }
  return late;
}

function memoryMb(): number {
  return process.memoryUsage().rss / 1_048_576;
}
