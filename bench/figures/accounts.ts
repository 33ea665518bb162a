import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

import { freePort } from '../../src/dev/temporal-ports.js';
import { scrape } from '../../test/support/observe/scrape.js';
import { defineBench, number, numbers } from '../bench.js';
import { cpuMsOf } from '../processes.js';
import { slopeOf, sumOf } from '../statistics.js';
import { inBenchWorld, killed, ready, type BenchWorld } from '../worlds.js';
import { medianResident } from './open-runs.js';

/** Of one idle worker process, by the keys of the columns. */
type Sample = Record<'accounts' | 'resident' | 'polls' | 'cpu', number>;

const SAMPLES = 21;

export const accounts = defineBench({
  id: 'accounts',
  title: 'Accounts of one process',
  summary: 'memory, polls and CPU of an idle worker by the number of its accounts',
  minutes: 5,
  columns: [
    { key: 'accounts', title: 'accounts' },
    { key: 'resident', title: 'resident', unit: 'MiB' },
    { key: 'polls', title: 'open polls' },
    { key: 'cpu', title: 'CPU per second', unit: 'ms' },
  ],
  page: {
    about: `The worker of \`npm start\` with metrics and nothing to do, by the number of accounts in its file. *Open polls* are its long polls at the Temporal server. CPU is that
of the whole process. The watcher of each account runs, and reads no task because none is awaited.`,
    chart: { kind: 'line', x: 'accounts', panels: [['resident'], ['polls']] },
  },
  settings: z.strictObject({
    accounts: numbers(1, 5, 10, 20, 40),
    /** From the start until the polls are open and the watchers are elected. */
    settleSeconds: number(15),
    measureSeconds: number(30),
  }),
  parts: { 'one process': {} },
  quick: { accounts: '1,2', settleSeconds: 1, measureSeconds: 1 },
  async measure({ accounts: counts, settleSeconds, measureSeconds }) {
    const rows = await inFolder((folder) =>
      inBenchWorld({}, async (world) => {
        const samples: Sample[] = [];
        for (const count of counts) {
          const file = join(folder, `${count}.json`);
          await writeFile(file, accountsFile(count, world.api.baseUrl));
          const times = { settleMs: settleSeconds * 1_000, measureMs: measureSeconds * 1_000 };
          samples.push({ accounts: count, ...(await measureIdle(world, file, times)) });
        }
        return samples;
      }),
    );
    const perAccount = (of: 'resident' | 'polls'): string =>
      slopeOf(rows.map((row) => ({ x: row.accounts, y: row[of] }))).toFixed(1);
    const [memory, polls] = [perAccount('resident'), perAccount('polls')];
    return {
      rows,
      remarks: [`One account more takes ${memory} MiB and ${polls} polls (least squares).`],
    };
  },
});

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-accounts-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function accountsFile(count: number, baseUrl: string): string {
  const names = Array.from({ length: count }, (_, at) => `account-${at}`);
  const all = new Map(names.map((name) => [name, { keyVariable: 'KEY', baseUrl }]));
  return JSON.stringify({ accounts: Object.fromEntries(all) });
}

async function measureIdle(
  { api, spawnProduct }: BenchWorld,
  file: string,
  { settleMs, measureMs }: { settleMs: number; measureMs: number },
): Promise<Omit<Sample, 'accounts'>> {
  const port = await freePort();
  const settings = { GCORE_ACCOUNTS_FILE: file, KEY: api.apiKey };
  const worker = spawnProduct({ ...settings, GCORE_WORKFLOWS_METRICS_PORT: String(port) });
  const { pid } = worker.child;
  try {
    await ready(worker);
    await delay(settleMs);
    const before = cpuMsOf(pid);
    const resident = await medianResident(pid, measureMs / SAMPLES);
    const cpu = ((cpuMsOf(pid) - before) * 1_000) / measureMs;
    return { resident, cpu, polls: await countPolls(port) };
  } finally {
    await killed(worker);
  }
}

/** Sums the gauge of the SDK over all workers of the process. */
async function countPolls(port: number): Promise<number> {
  const { samples } = await scrape(`http://127.0.0.1:${port}/metrics`);
  const counts = samples.filter(({ name }) => name === 'temporal_num_pollers');
  if (counts.length === 0) throw new Error('The worker tells no pollers');
  return sumOf(counts.map(({ value }) => value));
}
