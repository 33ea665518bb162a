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

export function createFleet(settings: FastWorkerSettings): Fleet {
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
      const worker = startFastWorker({ ...settings, ...own }, root);
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
