import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

import { replayAll } from '../support/replay/replay-all.js';
import type { printOrder } from './print-order.js';
import { openShop, type Shop, type ShopSettings } from './shop.js';
import type { WorkerSettings } from './worker.js';

export type PrintRun = WorkflowHandle<typeof printOrder>;

/** A test's own shop and account, on the shared Temporal server. */
export interface PrintWorld {
  shop: Shop;
  /** Its process has this token for the shop; the right one by default. */
  startWorker: (token?: string) => void;
  /** As a crash does: nothing is finished and nothing is given back. */
  killWorker: () => Promise<void>;
  /** Starts `printOrder` under a new Workflow Id. */
  start: () => Promise<PrintRun>;
}

const COMPILED = resolve('.cache/print-shop');
const codePath = resolve(COMPILED, 'workflow-bundle.js');
let built: Promise<void> | undefined;

/** Node runs no TypeScript, so the worker is compiled. A worker takes its workflows as one bundle. */
async function build(): Promise<void> {
  const compiler = 'node_modules/typescript-7/bin/tsc';
  await promisify(execFile)(process.execPath, [compiler, '-p', 'test/print-shop/tsconfig.json']);
  const { code } = await bundleWorkflowCode({
    workflowsPath: resolve('test/print-shop/workflows.ts'),
    workflowInterceptorModules: [resolve('src/engine/run/interceptors.ts')],
    logger: new DefaultLogger('ERROR', () => undefined),
  });
  await writeFile(codePath, code);
}

/** Runs `test` with a shop, then replays every run. */
export async function inPrintShop(
  settings: Partial<ShopSettings>,
  test: (world: PrintWorld) => Promise<void>,
): Promise<void> {
  built ??= build();
  await built;
  const temporal = process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233';
  const connection = await Connection.connect({ address: temporal });
  const client = new Client({ connection });
  const shop = await openShop(settings);
  const name = `print-${randomUUID().slice(0, 8)}`;
  const names = { account: name, taskQueue: name, workflowBundle: { codePath } };
  const runs: PrintRun[] = [];
  let worker: ChildProcess | undefined;
  const killWorker = async (): Promise<void> => {
    if (worker?.exitCode !== null || !worker.kill('SIGKILL')) return;
    await once(worker, 'exit');
  };
  const world: PrintWorld = {
    shop,
    killWorker,
    startWorker: (token = shop.token) => {
      worker = spawnWorker({ temporal, shop: shop.url, token, ...names });
    },
    start: async () => {
      const run = await client.workflow.start<typeof printOrder>('printOrder', {
        workflowId: `${name}/${runs.length}`,
        taskQueue: name,
        args: [{ text: 'Hello', copies: 20, account: name }],
      });
      runs.push(run);
      return run;
    },
  };
  try {
    await test(world);
  } finally {
    await killWorker();
    await shop.close();
  }
  const ids = runs.map(({ workflowId }) => workflowId);
  await replayAll(client, ids, { codePath });
  await connection.close();
}

function spawnWorker(settings: WorkerSettings): ChildProcess {
  const script = resolve(COMPILED, 'test/print-shop/worker.js');
  const worker = spawn(process.execPath, [script], {
    env: { PATH: process.env['PATH'], PRINT_SHOP_WORKER: JSON.stringify(settings) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = text(worker.stderr);
  worker.once('exit', (code) => {
    // A signal ends it without a code.
    if (code !== null) void said.then((lines) => process.stderr.write(lines));
  });
  return worker;
}
