import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { freePort } from '../../src/dev/temporal-ports.js';
import { scrape } from '../../test/support/observe/scrape.js';
import { startWorkerProcess } from '../../test/support/workers/worker-process.js';
import { inBenchWorld, type BenchWorld } from '../bench-world.js';
import { percentile } from '../percentile.js';
import { cpuMsOf, residentMibOf } from '../process-usage.js';

export interface AccountsPlan {
  /** Numbers of accounts that one process serves. */
  steps: readonly number[];
  /** From the start until the polls are open and the watchers are elected. */
  settleMs: number;
  measureMs: number;
}

/** Of one idle worker process. */
export interface AccountsSample {
  accounts: number;
  residentMib: number;
  /** Open long polls at the Temporal server. */
  polls: number;
  cpuMsPerSecond: number;
}

const SAMPLES = 21;

/** The worker of `npm start` with more and more accounts and nothing to do. */
export function measureAccounts(plan: AccountsPlan): Promise<AccountsSample[]> {
  return inBenchWorld({}, async (world) => {
    const folder = await mkdtemp(join(tmpdir(), 'bench-accounts-'));
    const samples: AccountsSample[] = [];
    try {
      for (const accounts of plan.steps) {
        const file = join(folder, `${accounts}.json`);
        await writeFile(file, accountsFile(accounts, world.api.baseUrl));
        samples.push({ accounts, ...(await measureIdle(file, world, plan)) });
      }
    } finally {
      await rm(folder, { recursive: true });
    }
    return samples;
  });
}

function accountsFile(count: number, baseUrl: string): string {
  const names = Array.from({ length: count }, (_, at) => `account-${at}`);
  const accounts = new Map(names.map((name) => [name, { keyVariable: 'KEY', baseUrl }]));
  return JSON.stringify({ accounts: Object.fromEntries(accounts) });
}

async function measureIdle(
  file: string,
  { address, api }: BenchWorld,
  { settleMs, measureMs }: AccountsPlan,
): Promise<Omit<AccountsSample, 'accounts'>> {
  const port = await freePort();
  const { child, exit, says } = startWorkerProcess({
    ...{ GCORE_ACCOUNTS_FILE: file, KEY: api.apiKey, TEMPORAL_ADDRESS: address },
    GCORE_WORKFLOWS_METRICS_PORT: String(port),
  });
  try {
    await says('Worker is ready');
    await delay(settleMs);
    const before = cpuMsOf(child.pid);
    const resident: number[] = [];
    for (let sample = 0; sample < SAMPLES; sample++) {
      await delay(measureMs / SAMPLES);
      resident.push(residentMibOf(child.pid));
    }
    return {
      residentMib: percentile(resident, 50),
      cpuMsPerSecond: ((cpuMsOf(child.pid) - before) * 1_000) / measureMs,
      polls: await countPolls(port),
    };
  } finally {
    child.kill('SIGKILL');
    await exit;
  }
}

/** Sums the gauge of the SDK over all workers of the process. */
async function countPolls(port: number): Promise<number> {
  const { samples } = await scrape(`http://127.0.0.1:${port}/metrics`);
  const counts = samples.filter(({ name }) => name === 'temporal_num_pollers');
  if (counts.length === 0) throw new Error('The worker tells no pollers');
  return counts.reduce((sum, { value }) => sum + value, 0);
}
