import type { LocalStack, LocalStackOptions } from '../dev/local-stack.js';
import type { TemporalConfig } from '../config.js';

export interface WorkerService {
  temporal: TemporalConfig;
  /** One line of the worker's log. */
  writeLog: (line: string) => void;
  signal: AbortSignal;
}

/** The commands watch runs. They leave the simulated API alone. */
export type RunningStack = Omit<LocalStack, 'simulator'>;

/** Parts that few commands need. They load on use, because the worker's native parts take a second. */
export interface Services {
  startLocalStack: (options: LocalStackOptions) => Promise<RunningStack>;
  runWorker: (service: WorkerService) => Promise<void>;
}

export function createServices(): Services {
  return {
    async startLocalStack(options) {
      const { startLocalStack } = await import('../dev/local-stack.js');
      return startLocalStack(options);
    },
    async runWorker({ temporal, writeLog, signal }) {
      const [{ runWorker }, { createLogger }] = await Promise.all([
        import('../worker/run-worker.js'),
        import('../worker/logger.js'),
      ]);
      const logger = createLogger('INFO', writeLog);
      await runWorker({ temporal, logger, signal });
    },
  };
}
