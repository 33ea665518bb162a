import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

import { z } from 'zod';

import { connectGcoreWorkflows } from '../../src/client/index.js';
import { manyUsers, STORE, stateWithStores } from '../../test/support/worlds/kv-stores.js';
import { createManifestRoot } from '../../test/support/worlds/manifests.js';
import { manyVideos } from '../../test/support/worlds/videos.js';
import { defineBench, number } from '../bench.js';
import type { FigureRow } from '../document/figure.js';
import { cpuMsOf, peakMibOf, temporalPidAt } from '../processes.js';
import { inBenchWorld, ready, type BenchWorld } from '../worlds.js';

/** The work of an API is not counted, so it may be fast. */
const SPEED = 100;
const POLL_MS = 3_000 / SPEED;
const FAST = { speed: SPEED, reconcileGraceMs: 2_000, probeMs: 500, timeoutMs: 15_000 };
const LOOP = fileURLToPath(new URL('../naive/bulk.js', import.meta.url));
const FILE = 'a.jsonl';

interface Work {
  kind: 'import' | 'push';
  what: string;
  items: readonly object[];
}

const settings = z.strictObject({ videos: number(100_000), items: number(50_000) });

export const bulkCpu = defineBench({
  id: 'bulk-cpu',
  title: 'What bulk work costs',
  summary: 'CPU and memory of an import and a push, beside plain loops',
  minutes: 4,
  columns: [
    { key: 'what', title: 'work' },
    { key: 'by', title: 'by' },
    { key: 'seconds', title: 'time', unit: 's' },
    { key: 'worker', title: 'CPU of its process per 1,000 items', unit: 'ms' },
    { key: 'server', title: 'CPU of the Temporal server per 1,000 items', unit: 'ms' },
    { key: 'memory', title: 'its process at most', unit: 'MiB' },
  ],
  page: {
    about: `An import of 100,000 videos and a push of 50,000 KV items from a list in a file, each by one worker that nobody kills, from its start
to the result. Beside it the same in a plain loop of its own process, with the same HTTP client, a schema of two fields, and none of this
product's safeguards: it checks no line, looks for no lost call, reads no item back and remembers nothing. The cloud and the polls are
100 times as fast as in reality.`,
    chart: { kind: 'bar', x: 'what', series: 'by', panels: [['worker'], ['memory']] },
  },
  settings,
  parts: { import: {}, push: {} },
  quick: { videos: 1_000, items: 1_000 },
  measure: async ({ videos, items }, part) => {
    const work: Work =
      part === 'import'
        ? { kind: 'import', what: 'import of videos', items: manyVideos(videos) }
        : { kind: 'push', what: 'push of KV items', items: manyUsers(items) };
    return { rows: [await measureLoop(work), await measureOurs(work)] };
  },
});

function listOf({ items }: Work): string {
  return createManifestRoot({ [FILE]: items });
}

function cloudOf({ kind }: Work) {
  return { timeScale: 1 / SPEED, ...(kind === 'push' && { state: stateWithStores() }) };
}

const costSchema = z.object({ cpuMs: z.number(), peakMib: z.number() });

function measureLoop(work: Work): Promise<FigureRow> {
  const file = join(listOf(work), FILE);
  return inBenchWorld(cloudOf(work), async ({ api }) => {
    const startedAt = performance.now();
    const args = [api.baseUrl, api.apiKey, work.kind, file, String(POLL_MS)];
    const child = fork(LOOP, args);
    const gone = once(child, 'exit').then((): never => {
      throw new Error('The loop has ended without a result');
    });
    // It exits after its result, too.
    gone.catch(() => undefined);
    const message: unknown[] = await Promise.race([once(child, 'message'), gone]);
    const { cpuMs, peakMib } = costSchema.parse(message[0]);
    return toRow(work, 'a plain loop', { startedAt, cpuMs, peakMib, serverMs: NaN });
  });
}

function measureOurs(work: Work): Promise<FigureRow> {
  const manifestRoot = listOf(work);
  return inBenchWorld(cloudOf(work), async (world) => {
    const { child } = await ready(world.spawnOurs({ ...FAST, manifestRoot }));
    const server = temporalPidAt(world.address);
    const startedAt = performance.now();
    const before = { cpuMs: cpuMsOf(child.pid), serverMs: cpuMsOf(server) };
    await runOf(world, work);
    return toRow(work, 'this product', {
      startedAt,
      cpuMs: cpuMsOf(child.pid) - before.cpuMs,
      serverMs: cpuMsOf(server) - before.serverMs,
      peakMib: peakMibOf(child.pid),
    });
  });
}

async function runOf({ address }: BenchWorld, { kind }: Work): Promise<void> {
  const gcore = await connectGcoreWorkflows({ config: { connectionOptions: { address } } });
  const manifest = { url: `file:${FILE}` };
  const asked = { requestId: 'x', workflowId: 'bulk' };
  try {
    if (kind === 'import') {
      await gcore.start('importVideos', { ...asked, input: { manifest } });
      await gcore.result('importVideos', asked.workflowId);
    } else {
      await gcore.start('modifyKvStore', { ...asked, input: { storeId: STORE, manifest } });
      await gcore.result('modifyKvStore', asked.workflowId);
    }
  } finally {
    await gcore.close();
  }
}

interface Cost {
  startedAt: number;
  cpuMs: number;
  serverMs: number;
  peakMib: number;
}

function toRow({ what, items }: Work, by: string, cost: Cost): FigureRow {
  const perThousand = (ms: number): number => (ms / items.length) * 1_000;
  return {
    what,
    by,
    seconds: (performance.now() - cost.startedAt) / 1_000,
    worker: perThousand(cost.cpuMs),
    server: perThousand(cost.serverMs),
    memory: cost.peakMib,
  };
}
