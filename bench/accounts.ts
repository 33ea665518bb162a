/**
 * `npm run bench:accounts -- [--accounts 1,5,20] [--seconds 30]`: memory, processor time and open polls of one idle
 * worker process, by the number of accounts that it serves.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

import { DefaultLogger, Runtime } from '@temporalio/worker';
import { z } from 'zod';

import { freePort } from '../src/dev/temporal-ports.js';
import { createSimulator, DEFAULT_API_KEY } from '../src/simulator/index.js';
import { tableHead, tableRow } from './measure-workers.js';
import { withTemporal } from './with-temporal.js';

const MIB = 1024 ** 2;
/** Polls begin, and the watchers are elected. */
const SETTLE_MS = 10_000;

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1,5,20' },
    seconds: { type: 'string', default: '30' },
    /** Of the process that is measured. */
    serve: { type: 'string' },
    address: { type: 'string', default: '' },
  },
});
const measureMs = Number(values.seconds) * 1_000;

const figuresSchema = z.object({
  rssMiB: z.number(),
  polls: z.number(),
  cpuPercent: z.number(),
});
type Figures = z.infer<typeof figuresSchema>;

if (values.serve !== undefined) {
  const figures = await measureThisProcess(values.serve, values.address);
  process.stdout.write(JSON.stringify(figures));
  process.exit();
}

await withTemporal({}, async (address) => {
  const simulator = await createSimulator().listen();
  const folder = await mkdtemp(join(tmpdir(), 'bench-accounts-'));
  process.stdout.write(`${tableHead(['accounts', 'memory', 'open polls', 'processor'])}\n`);
  for (const count of values.accounts.split(',').map(Number)) {
    const file = join(folder, `${count}.json`);
    await writeFile(file, JSON.stringify({ accounts: toAccounts(count, simulator.url) }));
    const { rssMiB, polls, cpuPercent } = await measure(file, address);
    const row = [count, `${rssMiB.toFixed(0)} MiB`, polls, `${cpuPercent.toFixed(1)} %`];
    process.stdout.write(`${tableRow(row)}\n`);
  }
  await simulator.close();
  await rm(folder, { recursive: true });
});

function toAccounts(count: number, baseUrl: string): Record<string, object> {
  const names = Array.from({ length: count }, (_, at) => `account-${at}`);
  return Object.fromEntries(names.map((name) => [name, { keyVariable: 'KEY', baseUrl }]));
}

async function measure(file: string, address: string): Promise<Figures> {
  const args = ['--serve', file, '--address', address, '--seconds', values.seconds];
  const { stdout } = await promisify(execFile)(process.execPath, [
    fileURLToPath(import.meta.url),
    ...args,
  ]);
  return figuresSchema.parse(JSON.parse(stdout));
}

async function measureThisProcess(file: string, address: string): Promise<Figures> {
  const port = await freePort();
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { metrics: { prometheus: { bindAddress: `127.0.0.1:${port}` } } },
  });
  const { loadWorkerConfig } = await import('../src/config.js');
  const { runWorker } = await import('../src/worker/run-worker.js');
  const { WORKFLOW_BUNDLE_PATH } = await import('../src/worker/workflow-bundle.js');
  // The worker looks for the bundle beside its own files.
  await copyFile(resolve('dist/workflow-bundle.js'), WORKFLOW_BUNDLE_PATH);
  const config = loadWorkerConfig({ GCORE_ACCOUNTS_FILE: file, KEY: DEFAULT_API_KEY });
  const temporal = { connectionOptions: { address } };
  void runWorker({ config, temporal, logger: new DefaultLogger('ERROR') });
  await delay(SETTLE_MS);
  const before = process.cpuUsage();
  await delay(measureMs);
  const { user, system } = process.cpuUsage(before);
  return {
    rssMiB: process.memoryUsage().rss / MIB,
    polls: await countPolls(port),
    cpuPercent: ((user + system) / 1_000 / measureMs) * 100,
  };
}

/** Sums the gauge of the SDK over all its workers. */
async function countPolls(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('temporal_num_pollers{'));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
