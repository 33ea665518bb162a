import type { LocalStack, LocalStackOptions } from '../dev/local-stack.js';
import type { Check } from '../contract/check.js';
import type { TemporalConfig } from '../config.js';
import type { GatewayService } from '../gateway/run-gateway.js';
import { fromFullPackage, isFullPackage } from './full-package.js';

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
  /** What a worker with the environment of this process finds at the API, for one account or for all it serves. */
  checkApi: (account?: string) => Promise<Check[]>;
  /** How workers with the code of this command sign it; `undefined` when nobody has built it. */
  ownBuild: () => Promise<string | undefined>;
  runGateway: (service: GatewayService) => Promise<void>;
}

const API_UNCHECKED: Check = {
  name: 'API',
  state: 'unknown',
  text: 'cannot be checked by the client package; run this where a worker runs, with its environment',
};

export function createServices(): Services {
  return {
    async startLocalStack(options) {
      const { startLocalStack } = await fromFullPackage(() => import('../dev/local-stack.js'));
      return startLocalStack(options);
    },
    async checkApi(account) {
      if (!isFullPackage()) return [API_UNCHECKED];
      const { checkApi } = await import('../worker/check-api.js');
      return checkApi(undefined, account);
    },
    async ownBuild() {
      if (!isFullPackage()) return undefined;
      const { ownBuild } = await import('../worker/check-api.js');
      return ownBuild();
    },
    async runWorker({ temporal, writeLog, signal }) {
      const [{ runWorker }, { createLogger }] = await fromFullPackage(() =>
        Promise.all([import('../worker/run-worker.js'), import('../worker/logger.js')]),
      );
      const logger = createLogger('INFO', writeLog);
      await runWorker({ temporal, logger, signal });
    },
    async runGateway(service) {
      const { runGateway } = await fromFullPackage(() => import('../gateway/run-gateway.js'));
      await runGateway(service);
    },
  };
}
