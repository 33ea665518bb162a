/**
 * `npm run bench:gateway -- [--starts 200] [--readers 2000] [--changes 10]`: what the gateway costs. First the
 * same starts by the client and by HTTP, in turns; then many readers of the events of one run, from a process
 * of their own: memory of each reader, how long after a change all have heard of it, and how often the run was asked.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import type { GcoreWorkflows } from '../src/client/index.js';
import { createGateway } from '../src/gateway/create-gateway.js';
import { serveGateway } from '../src/gateway/serve-gateway.js';
import { at, gcoreOf, startedPath } from '../test/support/gateway/gateway-world.js';
import { inScenario, type Scenario } from '../test/support/runs/scenario.js';
import { until } from '../test/support/timing/until.js';
import { holdTaskReads } from '../test/support/worlds/hold-task-reads.js';
import { percentile } from './percentile.js';
import { withTemporal } from './with-temporal.js';

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '200' },
    readers: { type: 'string', default: '2000' },
    changes: { type: 'string', default: '10' },
  },
});
const starts = Number(values.starts);
const readers = Number(values.readers);
const changes = Number(values.changes);
const LOCAL = { host: '127.0.0.1', port: 0 };

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await call();
  return performance.now() - startedAt;
}

function row(name: string, figures: readonly number[]): string {
  const [p50, p95] = [50, 95].map((percent) => percentile(figures, percent).toFixed(1));
  return `| ${name} | ${p50} | ${p95} |`;
}

async function measureStarts(scenario: Scenario): Promise<void> {
  const gcore = gcoreOf(scenario);
  const server = await serveGateway(createGateway({ gcore, requestsPerSecond: 10_000 }), LOCAL);
  const input = { account: scenario.account };
  const [direct, http]: [number[], number[]] = [[], []];
  // The first calls open connections and compile code.
  for (let number = -20; number < starts; number++) {
    const one = await timed(() => gcore.start('listSshKeys', { requestId: `d${number}`, input }));
    const other = await timed(async () => {
      const answer = await fetch(`${server.url}/v1/runs/listSshKeys`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `h${number}` },
        body: JSON.stringify(input),
      });
      if (answer.status !== 202) throw new Error(await answer.text());
      await answer.text();
    });
    if (number < 0) continue;
    direct.push(one);
    http.push(other);
  }
  await server.close();
  print(`\n| a start (${starts} each), ms | p50 | p95 |\n| --- | --- | --- |`);
  print([row('client', direct), row('gateway', http)].join('\n'));
}

async function measureReaders(scenario: Scenario): Promise<void> {
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
  const group = await openReaders(`${server.url}${path}/events`);
  const [after, askedFrom, from] = [memoryMb(), queries, performance.now()];
  const late = await measureChanges(gcore, id, group.heard);
  const seconds = (performance.now() - from) / 1_000;
  print(`\n| change to event (${readers} readers, ${changes} changes), ms | p50 | p95 |`);
  print(`| --- | --- | --- |\n${row('all readers', late)}`);
  print(`\nqueries a second: ${((queries - askedFrom) / seconds).toFixed(2)}`);
  print(`memory: ${before.toFixed(0)} MB, with all readers ${after.toFixed(0)} MB`);
  await group.close();
  release();
  await fetch(at(path).replace('http://localhost', server.url) + '/result?wait=50s');
  await server.close();
}

interface Readers {
  /** When each reader got a document after its first. */
  heard: number[];
  close: () => Promise<void>;
}

/** All readers, once each has its first document. */
async function openReaders(url: string): Promise<Readers> {
  const script = fileURLToPath(new URL('gateway-readers.js', import.meta.url));
  const child = fork(script, [url, String(readers)]);
  const heard: number[] = [];
  let connected = 0;
  child.on('message', (message) => {
    if (message === 'connected') connected += 1;
    else if (typeof message === 'number') heard.push(message);
  });
  await until('all read', () => connected === readers);
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
  gcore: GcoreWorkflows,
  id: string,
  heard: number[],
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

await withTemporal({}, async () => {
  await inScenario({ replays: false }, measureStarts);
  await inScenario({ replays: false, timeoutMs: 600_000 }, measureReaders);
});
process.exit();
