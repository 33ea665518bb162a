import { randomUUID } from 'node:crypto';

import { createSimulator, type Simulator } from '../../../src/simulator/index.js';
import { startWorkerProcess, type WorkerProcess } from '../../support/workers/worker-process.js';
import { mostPerMarker } from '../../support/worlds/marked.js';

/** The cloud of one account. */
export interface Cloud {
  simulator: Simulator;
  url: string;
  /** The most instances that one run ever had. */
  most: () => number;
  close: () => Promise<void>;
}

/** An account with a cloud of its own, and the worker process that serves it. */
export interface Account extends Cloud {
  name: string;
  worker: WorkerProcess;
  startWorker: () => Promise<void>;
  killWorker: () => Promise<void>;
}

/** Tasks of the cloud end before the first look of a run, 15 s after its call. */
const TIME_SCALE = 0.0001;

export async function openCloud(): Promise<Cloud> {
  const seen = mostPerMarker();
  const simulator = createSimulator({ timeScale: TIME_SCALE, onChange: seen.see });
  const api = await simulator.listen();
  return { simulator, url: api.url, most: seen.most, close: () => api.close() };
}

/** Starts the worker like `npm start`. */
export async function openAccount(
  name: string,
  cloud: Cloud,
  environment: Record<string, string>,
): Promise<Account> {
  const start = async (): Promise<WorkerProcess> => {
    const worker = startWorkerProcess(environment);
    await worker.says('Worker is ready');
    return worker;
  };
  const account: Account = {
    ...cloud,
    name,
    worker: await start(),
    startWorker: async () => {
      account.worker = await start();
    },
    killWorker: async () => {
      account.worker.child.kill('SIGKILL');
      await account.worker.exit;
    },
    close: async () => {
      await account.killWorker();
      await cloud.close();
    },
  };
  return account;
}

/** A name that no earlier run has, because a Workflow Id is used once. */
export function uniqueName(word: string): string {
  return `${word}-${randomUUID().slice(0, 8)}`;
}
