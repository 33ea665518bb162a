import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { KEY_BYTES } from '../../src/codec/key-ring.js';
import {
  startFastWorker,
  type FastWorkerSettings,
  type WorkerProcess,
} from '../../test/support/workers/worker-process.js';

/** A version of the workers: a folder with its build, and what it is started with. */
export interface FleetVersion {
  name: string;
  root: string;
  settings?: Pick<FastWorkerSettings, 'version' | 'codePath'>;
}

/** The worker processes of an installation. */
export interface Fleet {
  /** All that were ever started. */
  all: WorkerProcess[];
  start: (version: FleetVersion) => Promise<WorkerProcess>;
  /** As an orchestrator does: SIGTERM, and wait for the end. */
  stop: (worker: WorkerProcess) => Promise<void>;
  close: () => Promise<void>;
}

/** @param idleKeys a key ring that encrypts nothing yet: every other process has it, and so another variant of the bundle */
export function createFleet(settings: FastWorkerSettings, idleKeys: string): Fleet {
  const all: WorkerProcess[] = [];
  const stop = async ({ child, exit }: WorkerProcess): Promise<void> => {
    if (child.exitCode === null) child.kill('SIGTERM');
    const code = await exit;
    if (code !== 0) throw new Error(`a worker ended with ${String(code)} on SIGTERM`);
  };
  return {
    all,
    stop,
    async start({ root, settings: own }) {
      const keys = all.length % 2 === 1 ? { codecKeysFile: idleKeys } : {};
      const worker = startFastWorker({ ...settings, ...keys, ...own }, root);
      all.push(worker);
      await worker.says('Worker is ready');
      return worker;
    },
    async close() {
      const running = all.filter(({ child }) => child.exitCode === null);
      await Promise.all(running.map(stop));
    },
  };
}

/** A key ring as while encryption is being introduced. */
export function writeIdleKeys(into: string): string {
  const path = join(into, 'keys.json');
  const next = randomBytes(KEY_BYTES).toString('base64');
  writeFileSync(path, JSON.stringify({ current: null, keys: { next } }));
  return path;
}
